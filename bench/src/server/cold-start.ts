import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, toRow } from '../lib/row.ts';
import { type Child, startChild } from './child.ts';
import { startPlatform } from './platform.ts';

/** Time from process start to first response, and memory use at that time. */
export const coldStart: Figure = {
  name: 'cold-start',
  title: 'time from the start of the process to its first response',
  async take({ rounds }) {
    const start = (launch: () => Promise<Child>) => async () => {
      const child = await launch();
      try {
        const { rss } = await child.ask('memory');
        return { milliseconds: child.startedIn, megabytes: rss / 1e6 };
      } finally {
        await child.stop();
      }
    };
    const { bare, platform } = await interleave(
      {
        bare: start(() => startChild({ kind: 'bare' })),
        platform: start(() => startPlatform()),
      },
      { rounds, warmUp: 1 },
    );
    return {
      rows: [
        toRow({
          what: 'first answer',
          unit: 'ms',
          ours: platform.map(({ milliseconds }) => milliseconds),
          floor: bare.map(({ milliseconds }) => milliseconds),
          target: atMost(400, 'ms'),
        }),
        toRow({
          what: 'resident memory at that time',
          unit: 'MB',
          ours: platform.map(({ megabytes }) => megabytes),
          floor: bare.map(({ megabytes }) => megabytes),
          target: atMost(120, 'MB'),
        }),
      ],
      notes: ['The built package, which creates an empty store on disk.'],
    };
  },
};
