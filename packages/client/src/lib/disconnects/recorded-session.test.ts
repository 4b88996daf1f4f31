import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ByteIndex } from './byte-index.ts';
import { InterruptedNetwork } from './interrupted-network.ts';
import { recording } from './recording.ts';
import { type Outcome, replaySession } from './replay-session.ts';

const longTimeout = { timeout: 3_600_000 };
const byteIndex = new ByteIndex();
let uninterrupted: Outcome;
const { stackTraceLimit } = Error;

beforeAll(async () => {
  // No test reads the stack traces of the tens of thousands of connection errors.
  Error.stackTraceLimit = 0;
  uninterrupted = await replaySession({ network: new InterruptedNetwork(byteIndex) });
  byteIndex.freeze();
});

afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

/**
 * Replays the session with disconnects. Fails if the outcome differs from that of the uninterrupted session.
 *
 * @param offsets Offsets of the bytes before which the connection breaks.
 * @param missedFrames Number of frames that the platform sends while the client is disconnected.
 * @returns Number of disconnects.
 */
async function replayWithDisconnects(
  offsets: readonly number[],
  missedFrames: number,
): Promise<number> {
  const network = new InterruptedNetwork(byteIndex, offsets);
  const outcome = await replaySession({ network, missedFrames }, uninterrupted);
  const { failures, transcript, userEvents } = outcome;
  const isSame = transcript === uninterrupted.transcript && userEvents === uninterrupted.userEvents;
  // Compared without a matcher first, which is faster.
  if (failures.length > 0 || !isSame) {
    const { platform: _, ...expected } = uninterrupted;
    expect({ offsets, missedFrames, failures, transcript, userEvents }).toEqual({
      offsets,
      missedFrames,
      ...expected,
    });
  }
  return network.disconnects;
}

describe('ReplayPlatform', () => {
  it('sends the recorded bytes to an uninterrupted client', () => {
    const recorded = [recording.greeting + recording.created];
    for (const step of recording.steps) {
      const last = recorded.length - 1;
      if (step.do === 'resume') recorded.push(step.text);
      if (recorded[last]?.includes('EMBED_TOKEN_EXPIRED')) continue;
      if (step.do === 'frame') recorded[last] += step.frame.text;
      if (step.do === 'expire') recorded[last] += step.text;
    }

    expect(uninterrupted.failures).toEqual([]);
    expect(uninterrupted.platform.streams).toEqual(recorded);
    const kinds = [...uninterrupted.transcript.matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind);
    expect(kinds.join(' ')).toBe(
      'user thinking agent user agent tool thinking agent tool agent user agent tool agent',
    );
  });
});

describe('a client that reads a recorded session with disconnects', () => {
  it(
    'S03, S20, S26: reaches the state of an uninterrupted client after disconnects at every byte',
    longTimeout,
    async () => {
      let disconnects = 0;
      // A chunk is interrupted only once, so two offsets must not be in the same chunk.
      const stride = byteIndex.longestChunk;
      for (let first = 0; first < stride; first += 1) {
        const count = Math.ceil((byteIndex.length - first) / stride);
        const offsets = Array.from({ length: count }, (_, nth) => first + nth * stride);
        disconnects += await replayWithDisconnects(offsets, 0);
      }

      expect(disconnects).toBe(byteIndex.length);
    },
  );

  it(
    'S03: reaches the state of an uninterrupted client after one disconnect and up to 1000 missed frames',
    longTimeout,
    async () => {
      const missedFrames = [1, 2, 7, 1000];
      for (let offset = 0; offset < byteIndex.length; offset += 37) {
        const missed = missedFrames[offset % missedFrames.length] ?? 0;
        expect(await replayWithDisconnects([offset], missed)).toBe(1);
      }
    },
  );
});
