import fc from 'fast-check';
import { describe, it } from 'vitest';
import { acts } from './acts.ts';
import { type Program, run } from './program.ts';

const programs = 10_000;
const slice = 250;
const limit = { timeout: 3_600_000 };
/**
 * The same programs at every run, so that a change is judged by what it changed. Any number in
 * INLAY_SEED looks for trouble in others.
 */
const seed = Number(process.env.INLAY_SEED ?? 1);

/** What happens often in life happens often here. */
const often = ['send', 'send', 'send', 'wait', 'wait', 'wait', 'switch', 'reload'];
const act = fc.constantFrom(...Object.keys(acts), ...often);
const program: fc.Arbitrary<Program> = fc.array(fc.tuple(act, fc.nat(11)), {
  maxLength: 40,
  size: 'max',
});

describe('the whole client', () => {
  it(
    'T24, T25, S03, S26, S27: keeps its promises, whatever happens in whatever order',
    limit,
    async () => {
      for (let done = 0; done < programs; done += slice) {
        await fc.assert(fc.asyncProperty(program, run), {
          numRuns: slice,
          seed: seed * programs + done,
        });
      }
    },
  );
});
