import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Connected, readWhole, type Schedule, StreamRig } from './stream-rig.ts';
import { toldSession } from './told-session.ts';

const limit = { timeout: 900_000 };
const runs = 100_000;
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

describe('what reads a session', () => {
  it(
    'S03, S04, S24: tells the same story whatever is cut, split, sent again and missed',
    limit,
    async () => {
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 0;
      const property = fc.asyncProperty(toldSession, schedule, async (happenings, cuts) => {
        const whole = readWhole(happenings);
        const state = await new StreamRig(happenings, cuts).run();

        const said = happenings.filter(({ frame }) => frame.event?.type === 'user.message');
        expect(state.entries.filter(({ kind }) => kind === 'user')).toHaveLength(said.length);
        expect(JSON.stringify(state.entries)).toBe(JSON.stringify(whole.entries));
        const streaming = state.entries.filter(
          (entry) => 'progress' in entry && entry.progress === 'streaming',
        );
        expect(streaming).toEqual([]);
        expect(state.running).toBe(false);
        expect(state.lastSeq).toBe(whole.lastSeq);
      });
      for (let done = 0; done < runs; done += slice) {
        await fc.assert(property, { numRuns: slice });
        await new Promise((resolve) => setImmediate(resolve));
      }
      Error.stackTraceLimit = stackTraceLimit;
    },
  );
});
