import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createInProcessLimiter } from './in-process-limiter.ts';

const window = { maximum: 100, windowMs: 60_000 };

function setup() {
  const clock = createFakeClock();
  return { clock, limiter: createInProcessLimiter(clock) };
}

describe('amounts in a window', () => {
  it('are admitted up to the maximum, and refused amounts are not counted', async () => {
    const { limiter } = setup();

    expect(await limiter.take('a', 60, window)).toEqual({ allowed: true, current: 60 });
    expect(await limiter.take('a', 41, window)).toEqual({ allowed: false, current: 60 });
    expect(await limiter.take('a', 40, window)).toEqual({ allowed: true, current: 100 });
    expect(await limiter.take('b', 100, window)).toEqual({ allowed: true, current: 100 });
  });

  it('are reduced by a negative amount', async () => {
    const { limiter } = setup();

    await limiter.take('a', 100, window);
    expect(await limiter.take('a', -30, window)).toEqual({ allowed: true, current: 70 });
    expect(await limiter.take('a', 30, window)).toEqual({ allowed: true, current: 100 });
  });

  it('never exceed the maximum in any period as long as the window', async () => {
    const { clock, limiter } = setup();
    const taken: { at: number; amount: number }[] = [];

    for (let step = 0; step < 600; step += 1) {
      clock.advance(733);
      const amount = 1 + (step % 17);
      const { allowed } = await limiter.take('a', amount, window);
      if (allowed) taken.push({ at: clock.now(), amount });
    }

    const sums = taken.map(({ at }) =>
      taken
        .filter((other) => other.at > at - window.windowMs && other.at <= at)
        .reduce((sum, { amount }) => sum + amount, 0),
    );
    expect(Math.max(...sums)).toBeLessThanOrEqual(window.maximum);
    expect(taken.length).toBeGreaterThan(50);
  });

  it('count until the end of the window after they were taken', async () => {
    const { clock, limiter } = setup();

    await limiter.take('a', 100, window);
    clock.advance(window.windowMs - 1);
    expect((await limiter.take('a', 1, window)).allowed).toBe(false);
    clock.advance(1);
    expect(await limiter.take('a', 100, window)).toEqual({ allowed: true, current: 100 });
  });

  it.each([
    ['an hour', 3_600_000],
    ['half a window', window.windowMs / 2],
    ['a millisecond', 1],
  ])('count for at most one window after the clock was set back by %s', async (_, step) => {
    const { clock, limiter } = setup();
    await limiter.take('a', 60, window);
    clock.advance(500);
    await limiter.take('a', 40, window);

    clock.advance(-step);
    expect(await limiter.take('a', 1, window)).toEqual({ allowed: false, current: 100 });
    clock.advance(window.windowMs);

    expect(await limiter.take('a', 100, window)).toEqual({ allowed: true, current: 100 });
  });

  it('that are added when the clock has caught up do not extend earlier ones', async () => {
    const { clock, limiter } = setup();
    await limiter.take('a', 100, window);
    clock.advance(-window.windowMs / 2);
    await limiter.take('a', -50, window);

    clock.advance(window.windowMs / 2);
    expect(await limiter.take('a', 50, window)).toEqual({ allowed: true, current: 100 });
    clock.advance(window.windowMs / 2);

    expect(await limiter.take('a', 50, window)).toEqual({ allowed: true, current: 100 });
  });
});
