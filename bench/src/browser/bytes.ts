import { join } from 'node:path';
import { weigh, weighAll } from '../../../scripts/weigh.mjs';
import type { Figure } from '../lib/figure.ts';
import { atMost, toRow } from '../lib/row.ts';
import { buildPages } from './build-pages.ts';

/** What a browser has to fetch. */
export const bytes: Figure = {
  name: 'bytes',
  title: 'JavaScript and CSS to fetch, brotli',
  async take() {
    const bare = weigh([join(await buildPages(), 'bare.js')]) / 1000;
    const weights = await weighAll();
    return {
      rows: weights.map(({ what, bytes: weight, budget }) =>
        toRow({
          what,
          unit: 'kB',
          ours: [weight / 1000],
          floor: [bare],
          target: atMost(budget / 1000, 'kB'),
        }),
      ),
      notes: [
        'The floor is the script of the bare page. `npm run size` holds the same numbers to their budgets.',
      ],
    };
  },
};
