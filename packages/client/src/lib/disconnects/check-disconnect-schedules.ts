import fc from 'fast-check';
import { expect } from 'vitest';
import type { ConversationState } from '../conversation/state.ts';
import { seed } from '../random-programs/sample.ts';
import { generatedSession } from './session-generator.ts';
import {
  type Connection,
  reduceUninterrupted,
  type Schedule,
  StreamSimulation,
} from './stream-simulation.ts';

/** Number of schedules for each generated session. Several, because generating a session is slow. */
const schedulesPerSession = 5;
/** Number of schedules between two yields to the event loop, which the test runner needs. */
const batchSize = 1_000;

const connection: fc.Arbitrary<Connection> = fc.record({
  missedEvents: fc.nat(6),
  bytes: fc.nat(1_500),
  chunkSizes: fc.array(fc.constantFrom(1, 3, 60, 700), { maxLength: 2 }),
  repeatedEvents: fc.nat(3),
  duplicateEvery: fc.nat(3),
});

const schedule: fc.Arbitrary<Schedule> = fc.record({
  connections: fc.array(connection, { maxLength: 4 }),
  responseDelay: fc.nat(8),
});

const schedules = fc.array(schedule, {
  minLength: schedulesPerSession,
  maxLength: schedulesPerSession,
});

/** Serializes the final state: comparing thousands of strings is faster than using a matcher. */
function serialize({ entries, running, lastSeq }: ConversationState): string {
  return JSON.stringify({ running, lastSeq, entries });
}

const sameStateProperty = fc.asyncProperty(
  generatedSession,
  schedules,
  async (events, schedulesToTest) => {
    const uninterrupted = reduceUninterrupted(events);
    const { entries } = uninterrupted;
    const userMessages = events.filter(({ frame }) => frame.event?.type === 'user.message');
    expect(entries.filter(({ kind }) => kind === 'user')).toHaveLength(userMessages.length);
    expect(entries).not.toContainEqual(expect.objectContaining({ progress: 'streaming' }));
    expect(uninterrupted.running).toBe(false);

    const expected = serialize(uninterrupted);
    for (const schedule of schedulesToTest) {
      const actual = serialize(await new StreamSimulation(events, schedule).run());
      if (actual !== expected)
        expect({ schedule, state: actual }).toEqual({ schedule, state: expected });
    }
  },
);

/**
 * Reads generated sessions over connections with random disconnects.
 *
 * @param count Number of schedules.
 * @throws If a final state differs from that of an uninterrupted session.
 */
export async function checkDisconnectSchedules(count: number): Promise<void> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    for (let done = 0; done < count; done += batchSize) {
      const numRuns = Math.ceil(Math.min(batchSize, count - done) / schedulesPerSession);
      await fc.assert(sameStateProperty, { numRuns, seed: seed * 100_000 + done });
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
