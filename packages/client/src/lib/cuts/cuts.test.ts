import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttingWire } from './cutting-wire.ts';
import { recording } from './recording.ts';
import { type Outcome, replaySession } from './replayed-session.ts';
import { WireMap } from './wire-map.ts';

const limit = { timeout: 3_600_000 };
const map = new WireMap();
let whole: Outcome;
const { stackTraceLimit } = Error;

beforeAll(async () => {
  // Tens of thousands of broken connections cause as many unhandled errors.
  Error.stackTraceLimit = 0;
  whole = await replaySession({ wire: new CuttingWire(map) });
  map.seal();
});

afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

/** Replays the session with cuts, and says how often it was cut off. Throws for any difference. */
async function replayCut(cuts: readonly number[], absence: number): Promise<number> {
  const wire = new CuttingWire(map, cuts);
  const { faults, transcript, said } = await replaySession({ wire, absence }, whole);
  // Compared without a matcher first, which is faster.
  if (faults.length > 0 || transcript !== whole.transcript || said !== whole.said) {
    const { platform: _, ...expected } = whole;
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

    expect(whole.faults).toEqual([]);
    expect(whole.platform.streamed).toEqual(recorded);
    const kinds = [...whole.transcript.matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind);
    expect(kinds.join(' ')).toBe(
      'user thinking agent user agent tool thinking agent tool agent user agent tool agent',
    );
  });
});

describe('the whole client', () => {
  it(
    'S03, S20, S26: ends in the same state after several cuts at any byte of a session',
    limit,
    async () => {
      let breaks = 0;
      // Far enough apart that no two are in one chunk, which is sent only once.
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
    limit,
    async () => {
      const absences = [1, 2, 7, 1000];
      for (let at = 0; at < map.bytes; at += 11) {
        await replayCut([at], absences[at % absences.length] ?? 0);
      }
    },
  );
});
