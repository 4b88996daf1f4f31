import fc from 'fast-check';
import { describe, it } from 'vitest';

import { arbitraryProgram, runProgram } from './program.ts';
import { sampleSize, seed } from './sample.ts';

/** Number of programs that are generated from one seed. */
const batchSize = 250;
const longTimeout = { timeout: 3_600_000 };

describe('the client', () => {
  it(
    'T24, T25, S03, S26, S27: loses and repeats no message, and shows and stores no text of another user, in random sequences of actions',
    longTimeout,
    async () => {
      const property = fc.asyncProperty(arbitraryProgram(), (program) => runProgram(program));
      for (let done = 0; done < sampleSize; done += batchSize) {
        await fc.assert(property, {
          numRuns: Math.min(batchSize, sampleSize - done),
          seed: seed * 10_000 + done,
        });
      }
    },
  );
});
