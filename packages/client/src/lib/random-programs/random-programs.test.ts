import fc from 'fast-check';
import { describe, it } from 'vitest';

import { actions } from './actions.ts';
import { type Program, runProgram } from './program.ts';
import { sampleSize, seed } from './sample.ts';

/** Number of programs that are generated from one seed. */
const batchSize = 250;
const longTimeout = { timeout: 3_600_000 };

/** Actions that are generated more often. */
const frequentActions = [
  'send',
  'send',
  'send',
  'wait',
  'wait',
  'wait',
  'open a session',
  'reload',
];
const arbitraryAction = fc.constantFrom(...Object.keys(actions), ...frequentActions);
const arbitraryProgram: fc.Arbitrary<Program> = fc.array(fc.tuple(arbitraryAction, fc.nat(11)), {
  maxLength: 40,
  size: 'max',
});

describe('the client', () => {
  it(
    'T24, T25, S03, S26, S27: loses and repeats no message, and shows and stores no text of another user, in random sequences of actions',
    longTimeout,
    async () => {
      for (let done = 0; done < sampleSize; done += batchSize) {
        await fc.assert(fc.asyncProperty(arbitraryProgram, runProgram), {
          numRuns: Math.min(batchSize, sampleSize - done),
          seed: seed * 10_000 + done,
        });
      }
    },
  );
});
