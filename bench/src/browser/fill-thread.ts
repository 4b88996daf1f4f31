import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import { at } from '../lib/at.ts';
import { openStreams } from '../server/open-streams.ts';
import { type Platform, streamOf, type Visitor, visit } from '../server/platform.ts';

/** What the person asks, by its place in the thread. */
export const questionOf = (number: number) => `question ${String(number).padStart(5, '0')}`;

/** Turns that are held with the platform. What is like the last of them is copied. */
const held = 2;

interface Row {
  seq: number;
  id: string;
  type: string;
  json: string;
  processed_at: number;
}

/**
 * A conversation of so many messages: a question, its answer, the next question. The first are said;
 * the others are written into the store as copies of these, because to hold thousands takes minutes.
 *
 * @param data - The directory of the platform's store.
 */
export async function fillThread(
  platform: Platform,
  data: string,
  messages: number,
): Promise<Visitor> {
  const visitor = await visit(platform, `talker-of-${messages}`);
  const stream = at(await openStreams(platform.port, 1, () => streamOf(visitor)), 0);
  for (let number = 0; number < held; number += 1) {
    const idle = stream.untilMark('"session.status_idle"');
    await platform.endUser(visitor.token, `/agent/v1/sessions/${visitor.session}/events`, {
      events: [{ type: 'user.message', content: [{ type: 'text', text: questionOf(number) }] }],
    });
    await idle;
  }
  stream.close();
  copyTurns(join(data, 'inlay.db'), visitor.session, messages / 2);
  return visitor;
}

/** Copies the last turn of a session until there are so many. */
function copyTurns(file: string, session: string, turns: number): void {
  const store = new Database(file, { timeout: 5000 });
  const rows = store
    .prepare(
      'select seq, id, type, json, processed_at from events where session_id = ? order by seq',
    )
    .all(session) as Row[];
  const each = rows.length / held;
  const [first, last] = [rows.slice(0, each), rows.slice(each)];
  const insert = store.prepare(
    'insert into events (session_id, seq, id, type, json, processed_at) values (?, ?, ?, ?, ?, ?)',
  );
  store.transaction(() => {
    let before = last;
    for (let number = held; number < turns; number += 1) {
      before = copyOf(last, { number, parent: at(before, 0).id, parentOfLast: at(first, 0).id });
      for (const { seq, id, type, json, processed_at } of before) {
        insert.run(session, seq, id, type, json, processed_at);
      }
    }
  })();
  store.close();
}

/** A later turn that is like another one: ids of its own, a question of its own, its own place. */
function copyOf(
  turn: readonly Row[],
  { number, parent, parentOfLast }: { number: number; parent: string; parentOfLast: string },
): Row[] {
  const names = new Map(turn.map(({ id }) => [id, `evt_${randomBytes(16).toString('base64url')}`]));
  names.set(parentOfLast, parent);
  const later = (number - held + 1) * turn.length;
  return turn.map(({ seq, id, type, json, processed_at }) => {
    const renamed = json
      .replace(/evt_[\w-]+/g, (name) => names.get(name) ?? name)
      .replaceAll(questionOf(held - 1), questionOf(number))
      .replace(/"seq":\d+/, `"seq":${seq + later}`);
    return { seq: seq + later, id: names.get(id) ?? id, type, json: renamed, processed_at };
  });
}
