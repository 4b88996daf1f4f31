import fc from 'fast-check';
import { expect } from 'vitest';
import type { ConversationState } from '../conversation/state.ts';
import { seed } from '../model/sample.ts';
import { type Connected, readWhole, type Schedule, StreamRig } from './stream-rig.ts';
import { toldSession } from './told-session.ts';

/** Number of schedules for each generated session, because generating one is slow. */
const schedulesPerSession = 5;
/** Number of schedules between two yields to the event loop, which the test runner needs. */
const batchSize = 1_000;

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

const schedules = fc.array(schedule, {
  minLength: schedulesPerSession,
  maxLength: schedulesPerSession,
});

/** The final state as one text: comparing thousands of texts is faster than using a matcher. */
function serialize({ entries, running, lastSeq }: ConversationState): string {
  return JSON.stringify({ running, lastSeq, entries });
}

const sameState = fc.asyncProperty(toldSession, schedules, async (happenings, all) => {
  const whole = readWhole(happenings);
  const { entries } = whole;
  const userMessages = happenings.filter(({ frame }) => frame.event?.type === 'user.message');
  expect(entries.filter(({ kind }) => kind === 'user')).toHaveLength(userMessages.length);
  expect(entries).not.toContainEqual(expect.objectContaining({ progress: 'streaming' }));
  expect(whole.running).toBe(false);

  const expected = serialize(whole);
  for (const tested of all) {
    const seen = serialize(await new StreamRig(happenings, tested).run());
    if (seen !== expected)
      expect({ schedule: tested, seen }).toEqual({ schedule: tested, seen: expected });
  }
});

/**
 * Reads generated sessions with `count` schedules of connections and cuts. Rejects if the final
 * state differs from that of an uninterrupted session.
 */
export async function checkSchedules(count: number): Promise<void> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (let done = 0; done < count; done += batchSize) {
    const numRuns = Math.ceil(Math.min(batchSize, count - done) / schedulesPerSession);
    await fc.assert(sameState, { numRuns, seed: seed * 100_000 + done });
    await new Promise((resolve) => setImmediate(resolve));
  }
  Error.stackTraceLimit = stackTraceLimit;
}
