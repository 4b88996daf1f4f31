import fc from 'fast-check';
import { describe, it } from 'vitest';
import { sampleSize, seed } from '../../packages/client/src/lib/random-programs/sample.ts';
import { serverProgram } from './real-environment.ts';

/** Fewer than on the scripted platform, because a program takes fifty times as long. */
const numRuns = Math.ceil(sampleSize / 25);

describe('a client and a server', () => {
  it('S01, S03, S04, S07, S20, S22, S26, S27: lose and repeat no message, in random sequences of actions on a bad network', {
    timeout: 3_600_000,
  }, async () => {
    await fc.assert(serverProgram, { numRuns, seed });
  });
});
