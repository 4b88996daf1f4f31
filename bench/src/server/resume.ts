import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, toRow, zero } from '../lib/row.ts';
import type { Request } from './http-connection.ts';
import { LogReader } from './log-reader.ts';
import { maxConcurrent } from './open-streams.ts';
import { startPlatform, streamRequest } from './platform.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type PreparedUsers, prepareUsers } from './users.ts';

const clients = 1000;
/** Every n-th session gets a new event while its client is disconnected. */
const activeEvery = 10;
/** Maximum random delay of a reconnect in milliseconds, as in `@inlay/client`. */
const maxDelay = 1000;

interface ResumeResult {
  /** Milliseconds from the disconnect until all clients have received all events. */
  milliseconds: number;
  /** CPU use of the server during this time, as a share of one core. */
  coreShare: number;
  /** Number of clients that received an event twice, out of order, or not at all. */
  incomplete: number;
}

/**
 * Reconnect storm: many clients lose their connections simultaneously while some of their sessions
 * continue. 1,000 clients read their conversations and are disconnected simultaneously, while every
 * tenth conversation gets an event: the time until each client has every event once and in order. Does
 * not measure a network that recovers slowly.
 */
export const resume: Benchmark = {
  name: 'resume',
  title: `${clients} clients are disconnected simultaneously: time until all have the missed events`,
  async run({ rounds }) {
    // `{}` creates a separate store, because this benchmark counts all events of its sessions.
    const users = await prepareUsers(clients, {});
    // Each round adds one event to the logs of the active sessions.
    let round = 0;
    const samples = await interleave(
      { baseline: resumeBaseline, platform: () => resumePlatform(users, round++) },
      { rounds: Math.min(rounds, 2), warmUp: 0 },
    );
    const row = (metric: string, key: keyof ResumeResult, unit: string) => ({
      metric,
      unit,
      measured: samples.platform.map((sample) => sample[key]),
      baseline: samples.baseline.map((sample) => sample[key]),
    });
    return {
      rows: [
        toRow({
          ...row('until all clients have all events', 'milliseconds', 'ms'),
          target: atMost(5000, 'ms'),
        }),
        toRow({
          ...row('CPU use of the server (1 = one core)', 'coreShare', ''),
          target: atMost(1),
        }),
        toRow({
          metric: 'clients with lost, duplicated or reordered events',
          unit: '',
          measured: samples.platform.map(({ incomplete }) => incomplete),
          target: zero,
        }),
      ],
      notes: [
        `Each client reconnects at a random time within ${maxDelay / 1000} s. Meanwhile, an event is written to every ${activeEvery}th of the ${clients} conversations.`,
        'The baseline reopens its streams, and sends no events.',
      ],
    };
  },
};

async function resumeBaseline(): Promise<ResumeResult> {
  const server = await startServerProcess({ kind: 'baseline' });
  try {
    const request = (number: number) => (): Request => ({
      method: 'GET',
      path: `/stream?number=${number}`,
    });
    const readers = Array.from(
      { length: clients },
      (_, index) => new LogReader(server.port, request(index)),
    );
    await openAll(readers);
    return { ...(await disconnectAndReconnect(server, readers, async () => {})), incomplete: 0 };
  } finally {
    await server.stop();
  }
}

async function resumePlatform(
  { data, benchUsers }: PreparedUsers,
  round: number,
): Promise<ResumeResult> {
  const platform = await startPlatform({ data });
  try {
    const readers = benchUsers.map(
      (benchUser) =>
        new LogReader(platform.port, (lastEventId) => {
          const { headers, ...request } = streamRequest(benchUser);
          return { ...request, headers: { ...headers, 'last-event-id': lastEventId } };
        }),
    );
    const isActive = (index: number) => index % activeEvery === 0;
    const waitForEvents = (events: number) =>
      Promise.all(
        readers.map((reader, index) => reader.waitForCount(isActive(index) ? events : 0)),
      );
    await openAll(readers);
    await waitForEvents(round);
    const resumed = await disconnectAndReconnect(platform, readers, async () => {
      for (const [index, { token, session }] of benchUsers.entries()) {
        const title = `Meanwhile ${round}`;
        if (isActive(index))
          await platform.callAsUser(token, `/agent/v1/sessions/${session}`, { title });
      }
      await waitForEvents(round + 1);
    });
    const isComplete = ({ received }: LogReader, index: number) =>
      received.length === (isActive(index) ? round + 1 : 0) &&
      received.every((seq, position) => seq === position + 1);
    return {
      ...resumed,
      incomplete: readers.filter((reader, index) => !isComplete(reader, index)).length,
    };
  } finally {
    await platform.stop();
  }
}

/** Opens streams with limited concurrency. */
async function openAll(readers: readonly LogReader[]): Promise<void> {
  for (let index = 0; index < readers.length; index += maxConcurrent) {
    await Promise.all(readers.slice(index, index + maxConcurrent).map((reader) => reader.open()));
  }
}

async function disconnectAndReconnect(
  server: ServerProcess,
  readers: readonly LogReader[],
  meanwhile: () => Promise<void>,
): Promise<Omit<ResumeResult, 'incomplete'>> {
  const used = await server.query('cpu');
  const started = performance.now();
  for (const reader of readers) reader.disconnect();
  await Promise.all([
    meanwhile(),
    ...readers.map(async (reader) => {
      await sleep(Math.random() * maxDelay);
      await reader.open();
    }),
  ]);
  const milliseconds = performance.now() - started;
  const { microseconds } = await server.query('cpu');
  return { milliseconds, coreShare: (microseconds - used.microseconds) / 1000 / milliseconds };
}
