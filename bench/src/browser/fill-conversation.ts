import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import { at } from '../lib/at.ts';
import { openStreams } from '../server/open-streams.ts';
import {
  type BenchUser,
  createBenchUser,
  type Platform,
  streamRequest,
} from '../server/platform.ts';

/** Text of a question by its position in the conversation. */
export const questionOf = (number: number) => `question ${String(number).padStart(5, '0')}`;

/** Number of turns that run on the platform. The last of these is the template for all other turns. */
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
): Promise<BenchUser> {
  const benchUser = await createBenchUser(platform, `user-with-${messages}`);
  const stream = at(await openStreams(platform.port, 1, () => streamRequest(benchUser)), 0);
  for (let number = 0; number < realTurns; number += 1) {
    const idle = stream.waitForText('"session.status_idle"');
    await platform.callAsUser(benchUser.token, `/agent/v1/sessions/${benchUser.session}/events`, {
      events: [{ type: 'user.message', content: [{ type: 'text', text: questionOf(number) }] }],
    });
    await idle;
  }
  stream.close();
  copyTurns(join(data, 'inlay.db'), benchUser.session, messages / 2);
  return benchUser;
}

/** Copies the last turn of a session until it has the given number of turns. */
function copyTurns(file: string, session: string, turns: number): void {
  const store = new Database(file, { timeout: 5000 });
  const rows = store
    .prepare(
      'select seq, id, type, json, processed_at from events where session_id = ? order by seq',
    )
    .all(session) as Row[];
  const eventsPerTurn = rows.length / realTurns;
  const [first, last] = [rows.slice(0, eventsPerTurn), rows.slice(eventsPerTurn)];
  const insert = store.prepare(
    'insert into events (session_id, seq, id, type, json, processed_at) values (?, ?, ?, ?, ?, ?)',
  );
  store.transaction(() => {
    let previous = last;
    for (let number = realTurns; number < turns; number += 1) {
      previous = copyTurn(last, {
        number,
        parent: at(previous, 0).id,
        templateParent: at(first, 0).id,
      });
      for (const { seq, id, type, json, processed_at } of previous) {
        insert.run(session, seq, id, type, json, processed_at);
      }
    }
    store
      .prepare(
        'update sessions set last_seq = (select max(seq) from events where session_id = id) where id = ?',
      )
      .run(session);
  })();
  store.close();
}

/** Copies a turn to a later position, with new ids and another question. */
function copyTurn(
  turn: readonly Row[],
  { number, parent, templateParent }: { number: number; parent: string; templateParent: string },
): Row[] {
  const newIds = new Map(
    turn.map(({ id }) => [id, `evt_${randomBytes(16).toString('base64url')}`]),
  );
  newIds.set(templateParent, parent);
  const seqOffset = (number - realTurns + 1) * turn.length;
  return turn.map(({ seq, id, type, json, processed_at }) => {
    const newJson = json
      .replace(/evt_[\w-]+/g, (oldId) => newIds.get(oldId) ?? oldId)
      .replaceAll(questionOf(realTurns - 1), questionOf(number))
      .replace(/"seq":\d+/, `"seq":${seq + seqOffset}`);
    return { seq: seq + seqOffset, id: newIds.get(id) ?? id, type, json: newJson, processed_at };
  });
}
