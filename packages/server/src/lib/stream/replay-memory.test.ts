import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createSqliteStore } from '../store/sqlite-store.ts';
import { startProcess } from '../testing/server-process.ts';
import { stalledStream } from '../testing/stalled-stream.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const mebibyte = 1_048_576;
const readers = 30;
/** More than the operating system buffers for one connection. */
const logBytes = 16 * mebibyte;
const eventBytes = 250_000;

/** Resident memory of a process in bytes. */
function residentBytes(pid: number | undefined): number {
  return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}

it('readers that replay a large log without reading take less than 1 MiB of memory each', async () => {
  const data = temporaryFolder();
  const server = await startProcess(data);
  const { token } = await server.issue('ada');
  const created = await server.call(token, 'POST', '/sessions', {});
  const { id } = (await created.json()) as { id: string };
  const count = Math.ceil(logBytes / eventBytes);
  const store = await createSqliteStore({ data });
  await store.transaction(async (transaction) => {
    for (let seq = 1; seq <= count; seq += 1) {
      const event = {
        type: 'agent.message',
        id: `evt_${seq}`,
        processed_at: '2026-01-15T12:00:00.000Z',
        seq,
        content: [{ type: 'text', text: 'x'.repeat(eventBytes) }],
      };
      const json = JSON.stringify(event);
      const row = { session_id: id, seq, id: event.id, type: event.type, json, processed_at: 0 };
      await transaction.insertInto('events').values(row).execute();
    }
  });
  await store.close();
  // Runs the same code once before the first measurement, with a reader that keeps up.
  const readAll = async () => {
    const reader = await server.follow(token, id);
    await reader.until(({ data }) => data.seq === count);
    reader.cut();
  };
  await readAll();
  const before = residentBytes(server.child.pid);

  const sockets = Array.from({ length: readers }, () => stalledStream(server.url, { id, token }));
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));
  // The server writes to its readers in turn: when this one has the whole log, the others have
  // stalled.
  await readAll();

  const grown = residentBytes(server.child.pid) - before;
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
  expect(grown).toBeLessThan(readers * mebibyte);
}, 120_000);
