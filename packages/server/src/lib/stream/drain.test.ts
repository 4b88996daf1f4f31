import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { drain } from './drain.ts';

/** Drains `count` streams on a fake clock, and records when each of them ends. */
async function drainStreams(count: number, seconds: number, abortAfter = Number.POSITIVE_INFINITY) {
  const clock = createFakeClock(0);
  const controller = new AbortController();
  const endedAt: number[] = [];
  const streams = Array.from({ length: count }, () => ({
    disconnect: () => endedAt.push(clock.now()),
  }));
  let isDone = false;
  const done = drain(streams, { clock, seconds, signal: controller.signal }).then(() => {
    isDone = true;
  });
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isDone) break;
    if (clock.now() >= abortAfter) controller.abort();
    else clock.advance(50);
  }
  await done;
  return { endedAt, duration: clock.now() };
}

/** Maximum number of streams that ended within one second. */
function peakPerSecond(endedAt: readonly number[]): number {
  return Math.max(
    ...endedAt.map(
      (start) => endedAt.filter((time) => time >= start && time < start + 1000).length,
    ),
  );
}

describe('drain', () => {
  it('S12: ends 10,000 streams evenly over half a minute', async () => {
    const { endedAt, duration } = await drainStreams(10_000, 45);

    expect(endedAt).toHaveLength(10_000);
    expect(duration).toBeGreaterThanOrEqual(30_000);
    expect(duration).toBeLessThanOrEqual(34_000);
    expect(peakPerSecond(endedAt)).toBeLessThanOrEqual(300);
  });

  it('ends ten streams immediately', async () => {
    expect(await drainStreams(10, 45)).toMatchObject({ duration: 0 });
    expect(await drainStreams(0, 45)).toMatchObject({ duration: 0 });
  });

  it('ends more streams per second if draining would otherwise exceed the maximum duration', async () => {
    const { endedAt, duration } = await drainStreams(30_000, 10);

    expect(endedAt).toHaveLength(30_000);
    expect(duration).toBeLessThanOrEqual(10_000);
    expect(duration).toBeGreaterThan(9_000);
  });

  it('ends all streams immediately with a maximum duration of 0', async () => {
    const { endedAt, duration } = await drainStreams(5_000, 0);

    expect(endedAt).toHaveLength(5_000);
    expect(duration).toBe(0);
  });

  it('ends the remaining streams immediately when the signal is aborted', async () => {
    const { endedAt, duration } = await drainStreams(10_000, 45, 2_000);

    expect(endedAt).toHaveLength(10_000);
    expect(duration).toBe(2_000);
  });
});
