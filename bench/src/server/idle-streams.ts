import { at } from '../lib/at.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { ratioAtMost, toRow } from '../lib/row.ts';
import type { Request } from './http-connection.ts';
import { openStreams } from './open-streams.ts';
import { startPlatform, streamRequest } from './platform.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { streamCount } from './stream-count.ts';
import { type PreparedUsers, prepareUsers } from './users.ts';

interface StreamMemory {
  /** Resident memory per stream in KiB. */
  resident: number;
  /** JavaScript heap per stream in KiB. */
  heap: number;
  /** Seconds until all measured streams were open. */
  openSeconds: number;
}

/**
 * Memory per idle stream, with one user per stream. Growth of the resident memory per stream after a
 * garbage collection, with a user, token and session for each. The measured process starts with a
 * store that another process has filled. Does not measure kernel memory of connections.
 */
export const idleStreams: Benchmark = {
  name: 'idle-streams',
  title: 'memory of an idle stream',
  async run(options) {
    const { count, note } = streamCount(options.streams);
    const { data, benchUsers } = await prepareUsers(count);
    const users = { data, benchUsers: benchUsers.slice(0, count) };
    const samples = await interleave(
      { baseline: () => measureBaseline(count), platform: () => measurePlatform(users) },
      // Each round starts a new process, so warming up has no effect.
      { rounds: Math.min(options.rounds, 2), warmUp: 0 },
    );
    const row = (metric: string, key: keyof StreamMemory, unit: string) => ({
      metric,
      unit,
      measured: samples.platform.map((sample) => sample[key]),
      baseline: samples.baseline.map((sample) => sample[key]),
    });
    return {
      rows: [
        toRow({
          ...row(`memory per stream, with ${count} streams`, 'resident', 'KiB'),
          target: ratioAtMost(1.3),
        }),
        toRow(row('JavaScript heap per stream', 'heap', 'KiB')),
        toRow(row('time until all streams are open', 'openSeconds', 's')),
      ],
      notes: [
        'Memory is the growth of the resident set after the streams were opened, measured after a garbage collection.',
        ...note,
      ],
    };
  },
};

async function measureBaseline(count: number): Promise<StreamMemory> {
  const server = await startServerProcess({ kind: 'baseline' });
  try {
    return await measureMemory(server, count, (number) => ({
      method: 'GET',
      path: `/stream?number=${number}`,
    }));
  } finally {
    await server.stop();
  }
}

async function measurePlatform({ data, benchUsers }: PreparedUsers): Promise<StreamMemory> {
  const platform = await startPlatform({ data });
  try {
    return await measureMemory(platform, benchUsers.length, (number) =>
      streamRequest(at(benchUsers, number)),
    );
  } finally {
    await platform.stop();
  }
}

async function measureMemory(
  server: ServerProcess,
  count: number,
  request: (number: number) => Request,
) {
  // The first streams include one-time costs, such as compilation and buffer pools.
  const warmUpCount = Math.min(100, count);
  const warmUpStreams = await openStreams(server.port, warmUpCount, request);
  const before = await server.query('memory');
  const started = performance.now();
  const measuredStreams = await openStreams(server.port, count - warmUpCount, (number) =>
    request(number + warmUpCount),
  );
  const openSeconds = (performance.now() - started) / 1000;
  const after = await server.query('memory');
  for (const stream of [...warmUpStreams, ...measuredStreams]) stream.close();
  const perStream = (bytes: number) => bytes / 1024 / measuredStreams.length;
  return {
    resident: perStream(after.rss - before.rss),
    heap: perStream(after.heapUsed - before.heapUsed),
    openSeconds,
  };
}
