import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { measureLoads } from '../../../scripts/measure-loads.mjs';
import { limits, targets } from '../../../scripts/size-limits.mjs';
import type { Figure } from '../lib/figure.ts';
import { atMost, toRow } from '../lib/row.ts';
import { buildPages } from './build-pages.ts';

/** Bytes that a browser fetches until the first answer is on screen. */
export const bytes: Figure = {
  name: 'bytes',
  title: 'JavaScript and CSS until the first answer is on screen, brotli',
  async take() {
    const barePage =
      brotliCompressSync(readFileSync(join(await buildPages(), 'bare.js'))).length / 1000;
    const goals: Partial<Record<string, { bytes: number }>> = { ...limits, ...targets };
    return {
      rows: Object.entries(await measureLoads()).map(([name, load]) =>
        toRow({
          what: `${load.what}, in ${load.requests} requests`,
          unit: 'kB',
          ours: [load.bytes / 1000],
          floor: [barePage],
          target: atMost((goals[name]?.bytes ?? 0) / 1000, 'kB'),
        }),
      ),
      notes: [
        'The floor is the script of the bare page. `npm run size` checks the same loads against their limits.',
      ],
    };
  },
};
