import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { drain } from './drain.ts';

/** Drains `count` streams on a fake clock, and records when each of them ends. */
async function run(count: number, seconds: number, hurryAfter = Number.POSITIVE_INFINITY) {
  const clock = createFakeClock(0);
  const hurry = new AbortController();
  const endedAt: number[] = [];
  const streams = Array.from({ length: count }, () => ({
    disconnect: () => endedAt.push(clock.now()),
  }));
  let isDone = false;
  const done = drain(streams, { clock, seconds, signal: hurry.signal }).then(() => {
    isDone = true;
  });
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isDone) break;
    if (clock.now() >= hurryAfter) hurry.abort();
    else clock.advance(50);
  }
  await done;
  return { endedAt, took: clock.now() };
}

/** Maximum number of streams that ended within one second. */
function peak(endedAt: readonly number[]): number {
  return Math.max(
    ...endedAt.map(
      (start) => endedAt.filter((time) => time >= start && time < start + 1000).length,
    ),
  );
}

describe('drain', () => {
  it('S12: ends 10,000 streams evenly over half a minute', async () => {
    const { endedAt, took } = await run(10_000, 45);

    expect(endedAt).toHaveLength(10_000);
    expect(took).toBeGreaterThanOrEqual(30_000);
    expect(took).toBeLessThanOrEqual(34_000);
    expect(peak(endedAt)).toBeLessThanOrEqual(300);
  });

  it('ends ten streams at once', async () => {
    expect(await run(10, 45)).toMatchObject({ took: 0 });
    expect(await run(0, 45)).toMatchObject({ took: 0 });
  });

  it('ends more streams per second if draining would otherwise exceed the maximum duration', async () => {
    const { endedAt, took } = await run(30_000, 10);

    expect(endedAt).toHaveLength(30_000);
    expect(took).toBeLessThanOrEqual(10_000);
    expect(took).toBeGreaterThan(9_000);
  });

  it('ends all streams at once with a maximum duration of 0', async () => {
    const { endedAt, took } = await run(5_000, 0);

    expect(endedAt).toHaveLength(5_000);
    expect(took).toBe(0);
  });

  it('ends the remaining streams at once when it is aborted', async () => {
    const { endedAt, took } = await run(10_000, 45, 2_000);

    expect(endedAt).toHaveLength(10_000);
    expect(took).toBe(2_000);
  });
});
