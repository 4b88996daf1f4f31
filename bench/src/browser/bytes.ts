import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { measureLoads } from '../../../scripts/size/measure-loads.mjs';
import { limits, targets } from '../../../scripts/size/size-limits.mjs';
import type { Benchmark } from '../lib/benchmark.ts';
import { atMost, toRow } from '../lib/row.ts';
import { buildPages } from './build-pages.ts';

/**
 * Bytes that a browser fetches until the first answer is on screen. Brotli size of the files of `npm
 * run build:web`, each compressed separately; the client bundled alone. Does not measure chunks that
 * are loaded later.
 */
export const bytes: Benchmark = {
  name: 'bytes',
  title: 'JavaScript and CSS until the first answer is on screen, brotli',
  async run() {
    const baselineSize =
      brotliCompressSync(readFileSync(join(await buildPages(), 'baseline.js'))).length / 1000;
    return {
      rows: Object.entries(await measureLoads()).map(([name, load]) =>
        toRow({
          metric: `${load.description}, in ${load.requests} requests`,
          unit: 'kB',
          measured: [load.bytes / 1000],
          baseline: [baselineSize],
          target: atMost(maximumBytes(name) / 1000, 'kB'),
        }),
      ),
      notes: [
        'The baseline is the script of `pages/baseline.ts`. `npm run size` checks the same loads against their limits.',
      ],
    };
  },
};

/** The limit or the target of a load, whichever is lower: some loads are already below their target. */
function maximumBytes(name: string): number {
  const bounds: Partial<Record<string, { bytes: number }>>[] = [limits, targets];
  return Math.min(...bounds.flatMap((each) => each[name]?.bytes ?? []));
}
