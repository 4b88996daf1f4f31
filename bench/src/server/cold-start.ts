import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, ratioAtMost, toRow } from '../lib/row.ts';
import { startPlatform } from './platform.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/**
 * Time from process start to first response with a new store, and memory use at that time. Does not measure a large store.
 */
export const coldStart: Benchmark = {
  name: 'cold-start',
  title: 'time from the start of the process to its first response',
  async run({ rounds }) {
    const measure = (launch: () => Promise<ServerProcess>) => async () => {
      const server = await launch();
      try {
        const { rss } = await server.query('memory');
        return { milliseconds: server.startupTime, megabytes: rss / 1e6 };
      } finally {
        await server.stop();
      }
    };
    const { baseline, platform } = await interleave(
      {
        baseline: measure(() => startServerProcess({ kind: 'baseline' })),
        platform: measure(() => startPlatform()),
      },
      { rounds, warmUp: 1 },
    );
    return {
      rows: [
        toRow({
          metric: 'first response',
          unit: 'ms',
          measured: platform.map(({ milliseconds }) => milliseconds),
          baseline: baseline.map(({ milliseconds }) => milliseconds),
          target: ratioAtMost(3.5),
        }),
        toRow({
          metric: 'resident memory after the first response',
          unit: 'MB',
          measured: platform.map(({ megabytes }) => megabytes),
          baseline: baseline.map(({ megabytes }) => megabytes),
          target: atMost(120, 'MB'),
        }),
      ],
      notes: ['The built package, which creates an empty store on disk.'],
    };
  },
};
