import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Store } from '../store/store.ts';
import { stalledStream } from './raw-stream.ts';
import type { ServerProcess } from './server-process.ts';

/** A session whose log is larger than one page of a replay. */
export interface LargeLog {
  /** Id of the session. */
  readonly id: string;
  readonly token: string;
  /** `seq` of the last event. */
  readonly lastSeq: number;
}

const eventBytes = 250_000;

/**
 * Creates a session, and inserts agent messages into its log.
 *
 * @param bytes Size of all messages together.
 */
export async function createLargeLog(
  server: ServerProcess,
  store: Store,
  bytes: number,
): Promise<LargeLog> {
  const { token } = await server.issue('ada');
  const created = await server.call(token, 'POST', '/sessions', {});
  const { id } = (await created.json()) as { id: string };
  const lastSeq = Math.ceil(bytes / eventBytes);
  await store.transaction(async (transaction) => {
    for (let seq = 1; seq <= lastSeq; seq += 1) {
      const event = {
        type: 'agent.message',
        id: `evt_${id}_${seq}`,
        processed_at: '2026-01-15T12:00:00.000Z',
        seq,
        content: [{ type: 'text', text: 'x'.repeat(eventBytes) }],
      };
      const json = JSON.stringify(event);
      const row = { session_id: id, seq, id: event.id, type: event.type, json, processed_at: 0 };
      await transaction.insertInto('events').values(row).execute();
    }
    await transaction
      .updateTable('sessions')
      .set({ last_seq: lastSeq })
      .where('id', '=', id)
      .execute();
  });
  return { id, token, lastSeq };
}

/**
 * Opens streams that replay a log to clients that read nothing.
 *
 * @returns The connections, and the growth of the resident memory of the process in bytes.
 */
export async function stallReaders(
  server: ServerProcess,
  { id, token, lastSeq }: LargeLog,
  count: number,
): Promise<{ sockets: Socket[]; memoryGrowth: number }> {
  const readAll = async () => {
    const reader = await server.follow(token, id);
    await reader.until(({ data }) => data.seq === lastSeq);
    reader.cut();
  };
  // A reader that keeps up runs the same code once before the first measurement.
  await readAll();
  const before = residentBytes(server.child.pid);

  const sockets = Array.from({ length: count }, () => stalledStream(server.url, { id, token }));
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));
  // The server writes to its readers in turn: when this reader has received the whole log, the
  // others have stalled.
  await readAll();

  return { sockets, memoryGrowth: residentBytes(server.child.pid) - before };
}

/** Resident memory of a process in bytes. */
function residentBytes(pid: number | undefined): number {
  return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}
