import { describe, expect, it } from 'vitest';
import { browserPorts } from '../ports.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { ReconnectBackoff } from './reconnect-backoff.ts';

const clients = 10_000;

/** When each of many clients comes back that were cut off together, in milliseconds. */
function comeBack(retryAfterMs: (random: () => number) => number | null): number[] {
  const random = seededRandom(7);
  const ports = browserPorts({ random });
  return Array.from({ length: clients }, () =>
    new ReconnectBackoff(ports).next(retryAfterMs(random)),
  );
}

/** Most of them that come within one second, whenever it begins. */
function peak(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [last, at] of sorted.entries()) {
    while (at - (sorted[first] ?? 0) >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

describe('ten thousand clients that are disconnected at once', () => {
  it('S12: reconnect evenly within three seconds', () => {
    const times = comeBack(() => null);

    expect(Math.max(...times)).toBeLessThanOrEqual(3_000);
    // A third in each second, with random deviation.
    expect(peak(times)).toBeLessThan((clients / 3) * 1.06);
  });

  it('S12: reconnect after the wait that a busy server asks for, spread out', () => {
    // A busy server returns a different wait to each client, from 1 to 10 seconds.
    const times = comeBack((random) => 1_000 * (1 + Math.floor(random() * 10)));

    expect(Math.min(...times)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(11_000);
    expect(peak(times)).toBeLessThan(clients / 5);
  });
});
