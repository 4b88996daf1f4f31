import { at } from '../lib/at.ts';
import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { ratioAtMost, toRow } from '../lib/row.ts';
import { type Child, startChild } from './child.ts';
import type { Request } from './http-connection.ts';
import { openStreams } from './open-streams.ts';
import { startPlatform, streamOf } from './platform.ts';
import { streamCount } from './stream-count.ts';
import { type PreparedUsers, prepareUsers } from './users.ts';

interface Weight {
  /** Resident memory per stream in KiB. */
  resident: number;
  /** JavaScript heap per stream in KiB. */
  heap: number;
  /** Seconds until all streams were open. */
  opening: number;
}

/** Memory per idle stream, with one user per stream. */
export const idleStreams: Figure = {
  name: 'idle-streams',
  title: 'memory of an idle stream',
  async take(options) {
    const { count, note } = streamCount(options.streams);
    const { data, visitors } = await prepareUsers(count);
    const users = { data, visitors: visitors.slice(0, count) };
    const samples = await interleave(
      { bare: () => weighBare(count), platform: () => weighPlatform(users) },
      // Each round starts a new process, so warming up has no effect.
      { rounds: Math.min(options.rounds, 2), warmUp: 0 },
    );
    const row = (what: string, key: keyof Weight, unit: string) => ({
      what,
      unit,
      ours: samples.platform.map((sample) => sample[key]),
      floor: samples.bare.map((sample) => sample[key]),
    });
    return {
      rows: [
        toRow({
          ...row(`memory of each of ${count}`, 'resident', 'KiB'),
          target: ratioAtMost(1.3),
        }),
        toRow(row('of that, on the JavaScript heap', 'heap', 'KiB')),
        toRow(row('until all were open', 'opening', 's')),
      ],
      notes: [
        'Memory is the growth of the resident set by opening the streams, after a garbage collection.',
        ...note,
      ],
    };
  },
};

async function weighBare(count: number): Promise<Weight> {
  const child = await startChild({ kind: 'bare' });
  try {
    return await weigh(child, count, (number) => ({
      method: 'GET',
      path: `/stream?number=${number}`,
    }));
  } finally {
    await child.stop();
  }
}

async function weighPlatform({ data, visitors }: PreparedUsers): Promise<Weight> {
  const platform = await startPlatform({ data });
  try {
    return await weigh(platform, visitors.length, (number) => streamOf(at(visitors, number)));
  } finally {
    await platform.stop();
  }
}

async function weigh(child: Child, count: number, request: (number: number) => Request) {
  // The first streams include one-time costs, such as compilation and buffer pools.
  const first = Math.min(100, count);
  const warm = await openStreams(child.port, first, request);
  const before = await child.ask('memory');
  const started = performance.now();
  const rest = await openStreams(child.port, count - first, (number) => request(number + first));
  const opening = (performance.now() - started) / 1000;
  const after = await child.ask('memory');
  for (const stream of [...warm, ...rest]) stream.close();
  const each = (bytes: number) => bytes / 1024 / rest.length;
  return {
    resident: each(after.rss - before.rss),
    heap: each(after.heapUsed - before.heapUsed),
    opening,
  };
}
