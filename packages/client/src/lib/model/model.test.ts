import fc from 'fast-check';
import { describe, it } from 'vitest';

import { actions } from './actions.ts';
import { type Program, run } from './program.ts';
import { sampleSize, seed } from './sample.ts';

const slice = 250;
const limit = { timeout: 3_600_000 };

/** Actions that are chosen more often. */
const often = ['send', 'send', 'send', 'wait', 'wait', 'wait', 'switch', 'reload'];
const action = fc.constantFrom(...Object.keys(actions), ...often);
const program: fc.Arbitrary<Program> = fc.array(fc.tuple(action, fc.nat(11)), {
  maxLength: 40,
  size: 'max',
});

describe('the whole client', () => {
  it(
    'T24, T25, S03, S26, S27: loses, repeats and leaks nothing in random sequences of events',
    limit,
    async () => {
      for (let done = 0; done < sampleSize; done += slice) {
        await fc.assert(fc.asyncProperty(program, run), {
          numRuns: Math.min(slice, sampleSize - done),
          seed: seed * 10_000 + done,
        });
      }
    },
  );
});
