import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttingWire } from './cutting-wire.ts';
import { recording } from './recording.ts';
import { type Outcome, replaySession } from './replayed-session.ts';
import { WireMap } from './wire-map.ts';

const longTimeout = { timeout: 3_600_000 };
const map = new WireMap();
let uninterrupted: Outcome;
const { stackTraceLimit } = Error;

beforeAll(async () => {
  // No test reads the stack traces of the tens of thousands of connection errors.
  Error.stackTraceLimit = 0;
  uninterrupted = await replaySession({ wire: new CuttingWire(map) });
  map.seal();
});

afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

/**
 * Replays the session with interrupted connections. Fails if the outcome differs from the
 * uninterrupted one.
 *
 * @returns Number of interruptions.
 */
async function replayCut(cuts: readonly number[], absence: number): Promise<number> {
  const wire = new CuttingWire(map, cuts);
  const { faults, transcript, said } = await replaySession({ wire, absence }, uninterrupted);
  // Compared without a matcher first, which is faster.
  if (faults.length > 0 || transcript !== uninterrupted.transcript || said !== uninterrupted.said) {
    const { platform: _, ...expected } = uninterrupted;
    expect({ cuts, absence, faults, transcript, said }).toEqual({ cuts, absence, ...expected });
  }
  return wire.breaks;
}

describe('the replayed platform', () => {
  it('sends an uninterrupted client the recorded bytes', () => {
    const recorded = [recording.greeting + recording.created];
    for (const step of recording.steps) {
      const last = recorded.length - 1;
      if (step.do === 'resume') recorded.push(step.text);
      if (recorded[last]?.includes('EMBED_TOKEN_EXPIRED')) continue;
      if (step.do === 'frame') recorded[last] += step.frame.text;
      if (step.do === 'expire') recorded[last] += step.text;
    }

    expect(uninterrupted.faults).toEqual([]);
    expect(uninterrupted.platform.streamed).toEqual(recorded);
    const kinds = [...uninterrupted.transcript.matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind);
    expect(kinds.join(' ')).toBe(
      'user thinking agent user agent tool thinking agent tool agent user agent tool agent',
    );
  });
});

describe('the client with interrupted connections', () => {
  it(
    'S03, S20, S26: ends in the same state after several cuts at any byte of a session',
    longTimeout,
    async () => {
      let breaks = 0;
      // A chunk is interrupted only once, so that two cuts must not be in the same chunk.
      const stride = map.longest;
      for (let first = 0; first < stride; first += 1) {
        const count = Math.ceil((map.bytes - first) / stride);
        const cuts = Array.from({ length: count }, (_, nth) => first + nth * stride);
        breaks += await replayCut(cuts, 0);
      }

      expect(breaks).toBe(map.bytes);
    },
  );

  it(
    'S03: ends in the same state after one cut, however far the platform continued meanwhile',
    longTimeout,
    async () => {
      const absences = [1, 2, 7, 1000];
      for (let at = 0; at < map.bytes; at += 11) {
        await replayCut([at], absences[at % absences.length] ?? 0);
      }
    },
  );
});
