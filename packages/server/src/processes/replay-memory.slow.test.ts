/** Memory of stalled readers in three processes with PostgreSQL and Redis. */
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../lib/log/logger.ts';
import { createPostgresStore } from '../lib/store/postgres-store.ts';
import { type Cluster, startCluster } from '../lib/testing/cluster.ts';
import { createLargeLog, stallReaders } from '../lib/testing/replay-load.ts';
import { message } from '../lib/testing/setup-conversation.ts';

const mebibyte = 1_048_576;
/** So many that noise in the resident memory is small compared with the bound. */
const readersPerProcess = 100;
/** More than the operating system buffers for one connection. */
const logBytes = 16 * mebibyte;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());
vi.setConfig({ testTimeout: 300_000 });

/**
 * Reads a paused connection until an event of the type arrives. Returns the `seq` of each event.
 */
async function readUntil(socket: Socket, type: string): Promise<number[]> {
  const seqs: number[] = [];
  for await (const line of createInterface(socket)) {
    const seq = /^id: (\d+)$/.exec(line)?.[1];
    if (seq !== undefined) seqs.push(Number(seq));
    if (line.startsWith(`data: {"type":"${type}"`)) break;
  }
  return seqs;
}

describe('three processes that replay a large log to clients that read nothing', () => {
  it('use less than 1 MiB of memory for each client, and send the whole log when a client starts to read', async () => {
    const store = await createPostgresStore({
      url: cluster.postgres.url,
      poolSize: 1,
      log: createLogger(Date.now, () => {}),
    });
    onTestFinished(() => store.close());
    const servers = ([0, 1, 2] as const).map((number) => cluster.server(number));
    const log = await createLargeLog(cluster.server(0), store, logBytes);

    const stalled = await Promise.all(
      servers.map((server) => stallReaders(server, log, readersPerProcess)),
    );

    for (const { sockets, memoryGrowth } of stalled) {
      expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
      expect(memoryGrowth).toBeLessThan(readersPerProcess * mebibyte);
    }
    // The bus delivers this message to all three processes while their readers are stalled.
    const sent = await cluster
      .server(0)
      .call(log.token, 'POST', `/sessions/${log.id}/events`, { events: [message('Read on')] });
    expect(sent.status).toBe(200);
    for (const { sockets } of stalled) {
      const [socket] = sockets;
      if (!socket) throw new Error('no reader');
      const seqs = await readUntil(socket, 'session.status_idle');
      expect(seqs.length).toBeGreaterThan(log.lastSeq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }
  });
});
