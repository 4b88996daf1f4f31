import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationState } from '../conversation/state.ts';
import { type Connected, readWhole, type Schedule, StreamRig } from './stream-rig.ts';
import { toldSession } from './told-session.ts';

const limit = { timeout: 900_000 };
const runs = 100_000;
/** How many schedules each session is read by: to make one takes its time too. */
const readings = 5;
/** After so many runs others get their turn: the runner wants to hear that this one is alive. */
const slice = 2_000;

const connected: fc.Arbitrary<Connected> = fc.record({
  absence: fc.nat(6),
  bytes: fc.nat(1_500),
  pieces: fc.array(fc.constantFrom(1, 3, 60, 700), { maxLength: 2 }),
  again: fc.nat(3),
  twice: fc.nat(3),
});

const schedule: fc.Arbitrary<Schedule> = fc.record({
  connections: fc.array(connected, { maxLength: 4 }),
  answerAfter: fc.nat(8),
});

const schedules = fc.array(schedule, { minLength: readings, maxLength: readings });

/** What is shown in the end, as one text: compared 100,000 times, without a matcher. */
function told({ entries, running, lastSeq }: ConversationState): string {
  return JSON.stringify({ running, lastSeq, entries });
}

describe('what reads a session', () => {
  it(
    'S03, S04, S24: tells the same story whatever is cut, split, sent again and missed',
    limit,
    async () => {
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 0;
      const property = fc.asyncProperty(toldSession, schedules, async (happenings, all) => {
        const whole = readWhole(happenings);
        const { entries } = whole;
        const said = happenings.filter(({ frame }) => frame.event?.type === 'user.message');
        expect(entries.filter(({ kind }) => kind === 'user')).toHaveLength(said.length);
        expect(entries).not.toContainEqual(expect.objectContaining({ progress: 'streaming' }));
        expect(whole.running).toBe(false);

        for (const cuts of all) {
          const state = await new StreamRig(happenings, cuts).run();
          if (told(state) !== told(whole)) {
            expect({ cuts, told: told(state) }).toEqual({ cuts, told: told(whole) });
          }
        }
      });
      for (let done = 0; done < runs; done += slice) {
        await fc.assert(property, { numRuns: slice / readings });
        await new Promise((resolve) => setImmediate(resolve));
      }
      Error.stackTraceLimit = stackTraceLimit;
    },
  );
});
