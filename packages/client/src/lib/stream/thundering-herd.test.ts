import { describe, expect, it } from 'vitest';
import { browserPorts } from '../ports.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { ReconnectBackoff } from './reconnect-backoff.ts';

const clientCount = 10_000;

/** Returns the wait of each of many clients before it reconnects, in milliseconds. */
function reconnectDelays(retryAfterMs: (random: () => number) => number | null): number[] {
  const random = seededRandom(7);
  const ports = browserPorts({ random });
  return Array.from({ length: clientCount }, () =>
    new ReconnectBackoff(ports).next(retryAfterMs(random)),
  );
}

/** Returns the highest number of reconnects within any one second. */
function peakPerSecond(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  let highest = 0;
  let first = 0;
  for (const [last, time] of sorted.entries()) {
    while (time - (sorted[first] ?? 0) >= 1_000) first += 1;
    highest = Math.max(highest, last - first + 1);
  }
  return highest;
}

describe('ten thousand clients that are disconnected simultaneously', () => {
  it('S12: reconnect evenly within three seconds', () => {
    const times = reconnectDelays(() => null);

    expect(Math.max(...times)).toBeLessThanOrEqual(3_000);
    // About a third of the clients reconnects in each second.
    expect(peakPerSecond(times)).toBeLessThan((clientCount / 3) * 1.06);
  });

  it('S12: reconnect spread over ten seconds after the `Retry-After` of a busy server', () => {
    // A busy server sends a different `Retry-After` to each client, from 1 to 10 seconds.
    const times = reconnectDelays((random) => 1_000 * (1 + Math.floor(random() * 10)));

    expect(Math.min(...times)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(11_000);
    expect(peakPerSecond(times)).toBeLessThan(clientCount / 5);
  });
});
