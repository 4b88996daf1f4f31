import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import { at } from '../lib/at.ts';
import { openStreams } from '../server/open-streams.ts';
import { type Platform, streamOf, type Visitor, visit } from '../server/platform.ts';

/** Text of a question by its position in the conversation. */
export const questionOf = (number: number) => `question ${String(number).padStart(5, '0')}`;

/** Number of turns that run on the platform. The last one is the template for the others. */
const realTurns = 2;

interface Row {
  seq: number;
  id: string;
  type: string;
  json: string;
  processed_at: number;
}

/**
 * Creates a conversation of alternating questions and answers. The first turns run on the platform;
 * the others are copied in the store, because running thousands of turns takes minutes.
 *
 * @param data - Directory of the platform's store.
 * @param messages - Number of questions and answers together.
 */
export async function fillConversation(
  platform: Platform,
  data: string,
  messages: number,
): Promise<Visitor> {
  const visitor = await visit(platform, `talker-of-${messages}`);
  const stream = at(await openStreams(platform.port, 1, () => streamOf(visitor)), 0);
  for (let number = 0; number < realTurns; number += 1) {
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

/** Copies the last turn of a session until it has the given number of turns. */
function copyTurns(file: string, session: string, turns: number): void {
  const store = new Database(file, { timeout: 5000 });
  const rows = store
    .prepare(
      'select seq, id, type, json, processed_at from events where session_id = ? order by seq',
    )
    .all(session) as Row[];
  const each = rows.length / realTurns;
  const [first, last] = [rows.slice(0, each), rows.slice(each)];
  const insert = store.prepare(
    'insert into events (session_id, seq, id, type, json, processed_at) values (?, ?, ?, ?, ?, ?)',
  );
  store.transaction(() => {
    let before = last;
    for (let number = realTurns; number < turns; number += 1) {
      before = copyOf(last, { number, parent: at(before, 0).id, parentOfLast: at(first, 0).id });
      for (const { seq, id, type, json, processed_at } of before) {
        insert.run(session, seq, id, type, json, processed_at);
      }
    }
  })();
  store.close();
}

/** Copies a turn to a later position, with new ids and its own question. */
function copyOf(
  turn: readonly Row[],
  { number, parent, parentOfLast }: { number: number; parent: string; parentOfLast: string },
): Row[] {
  const names = new Map(turn.map(({ id }) => [id, `evt_${randomBytes(16).toString('base64url')}`]));
  names.set(parentOfLast, parent);
  const later = (number - realTurns + 1) * turn.length;
  return turn.map(({ seq, id, type, json, processed_at }) => {
    const renamed = json
      .replace(/evt_[\w-]+/g, (name) => names.get(name) ?? name)
      .replaceAll(questionOf(realTurns - 1), questionOf(number))
      .replace(/"seq":\d+/, `"seq":${seq + later}`);
    return { seq: seq + later, id: names.get(id) ?? id, type, json: renamed, processed_at };
  });
}
