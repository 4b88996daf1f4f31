import fc from 'fast-check';
import { expect } from 'vitest';
import type { ConversationState } from '../conversation/state.ts';
import { type Connected, readWhole, type Schedule, StreamRig } from './stream-rig.ts';
import { toldSession } from './told-session.ts';

/** How many schedules each session is read by: to make one takes its time too. */
const readings = 5;
/** After so many schedules others get their turn: the runner wants to hear that this one is alive. */
const slice = 2_000;
/** The same schedules at every run; any number in INLAY_SEED looks for trouble in others. */
const seed = Number(process.env.INLAY_SEED ?? 1);

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

const sameStory = fc.asyncProperty(toldSession, schedules, async (happenings, all) => {
  const whole = readWhole(happenings);
  const { entries } = whole;
  const said = happenings.filter(({ frame }) => frame.event?.type === 'user.message');
  expect(entries.filter(({ kind }) => kind === 'user')).toHaveLength(said.length);
  expect(entries).not.toContainEqual(expect.objectContaining({ progress: 'streaming' }));
  expect(whole.running).toBe(false);

  const wanted = told(whole);
  for (const cuts of all) {
    const seen = told(await new StreamRig(happenings, cuts).run());
    if (seen !== wanted) expect({ cuts, told: seen }).toEqual({ cuts, told: wanted });
  }
});

/** Reads sessions by the schedules of these numbers, and looks for one that tells another story. */
export async function readBySchedules(first: number, last: number): Promise<void> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (let done = first; done < last; done += slice) {
    await fc.assert(sameStory, { numRuns: slice / readings, seed: seed * 100_000 + done });
    await new Promise((resolve) => setImmediate(resolve));
  }
  Error.stackTraceLimit = stackTraceLimit;
}
