import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minute, setupTokens } from '../testing/token-setup.ts';
import { refreshPoint } from './token.ts';

const hour = 60 * minute;

/** Returns the time between consecutive token requests, in milliseconds. */
function requestIntervals(tokenCalls: readonly { at: number }[]): number[] {
  return tokenCalls.slice(1).map(({ at }, index) => at - (tokenCalls[index]?.at ?? 0));
}

describe('TokenManager', () => {
  it('refreshes a token of five minutes after four minutes, without a caller', async () => {
    const { manager, clock, tokenCalls } = setupTokens({ lifetime: 5 * minute, random: () => 0 });
    await manager.get();
    await clock.advance(4 * minute - 1_000);
    expect(tokenCalls).toHaveLength(1);
    await clock.advance(1_000);
    expect(tokenCalls).toHaveLength(2);
    expect(await manager.get()).toBe('et_2');
  });

  it('T07: refreshes a token of twenty seconds within its lifetime, at most three times', async () => {
    const { manager, clock, tokenCalls } = setupTokens({ lifetime: 20_000 });
    await manager.get();
    await clock.advance(20_000);
    expect(tokenCalls.length).toBeLessThanOrEqual(4);
    expect(tokenCalls.length).toBeGreaterThan(1);
  });

  it('T20: refreshes tokens of ten seconds at most every five seconds', async () => {
    const { manager, clock, tokenCalls } = setupTokens({ lifetime: 10_000 });
    await manager.get();
    await clock.advance(minute);
    expect(Math.min(...requestIntervals(tokenCalls))).toBeGreaterThanOrEqual(5_000);
    expect(await manager.get()).toBe(`et_${tokenCalls.length}`);
  });

  it('T14, T15: requests as many tokens with a wall clock ten minutes ahead or behind as with a correct wall clock', async () => {
    const counts = await Promise.all(
      [0, 10 * minute, -10 * minute].map(async (error) => {
        const { manager, clock, tokenCalls } = setupTokens();
        clock.adjustWallClock(error);
        await manager.get();
        await clock.advance(hour);
        return tokenCalls.length;
      }),
    );
    expect(new Set(counts).size).toBe(1);
  });

  it('T15: refreshes within the lifetime of the token when the wall clock is set back', async () => {
    const { manager, clock, tokenCalls } = setupTokens();
    await manager.get();
    await clock.advance(1_000);
    clock.adjustWallClock(-10 * minute);
    await clock.advance(4 * minute);
    expect(tokenCalls).toHaveLength(2);
  });

  it('T17: refreshes once after two hours of sleep', async () => {
    const { manager, clock, page, tokenCalls } = setupTokens();
    await manager.get();
    await clock.advance(1_000);
    clock.sleep(2 * hour);
    page.emit('visible');
    const calls = Promise.all([manager.get(), manager.get(), manager.get()]);
    await clock.advance(0);
    expect(await calls).toEqual(['et_2', 'et_2', 'et_2']);
    expect(tokenCalls).toHaveLength(2);
  });

  it('T18: refreshes an expired token before a request when timers are delayed', async () => {
    const { manager, clock, tokenCalls } = setupTokens();
    await manager.get();
    await clock.advance(1_000);
    clock.sleep(6 * minute);
    const call = manager.get();
    await clock.advance(0);
    expect(await call).toBe('et_2');
    expect(tokenCalls).toHaveLength(2);
  });

  it('T19: does not refresh a token of sixty days within an hour', async () => {
    const { manager, clock, tokenCalls } = setupTokens({ lifetime: 60 * 24 * hour });
    await manager.get();
    await clock.advance(hour);
    expect(tokenCalls).toHaveLength(1);
  });

  it('T21: refreshes once for a burst of page events', async () => {
    const { manager, clock, page, tokenCalls } = setupTokens();
    await manager.get();
    await clock.advance(0);
    clock.sleep(hour);
    for (const signal of ['visible', 'restored', 'online', 'focus'] as const) page.emit(signal);
    await clock.advance(1_000);
    expect(tokenCalls).toHaveLength(2);
  });

  it('T22: requests no token in the first twenty seconds offline, and one token immediately when online', async () => {
    const { manager, clock, page, tokenCalls } = setupTokens({
      getToken: () => Promise.reject(new TypeError('Failed to fetch')),
    });
    page.emit('offline');
    manager.get().catch(() => {});
    await clock.advance(20_000);
    expect(tokenCalls).toHaveLength(0);
    expect(manager.state.status).toBe('offline');
    page.emit('online');
    await clock.advance(0);
    expect(tokenCalls).toHaveLength(1);
  });

  it('T31: calls the latest `getToken` of the host page', async () => {
    let getToken = () => 'et_old';
    const { manager, clock } = setupTokens({ getToken: () => getToken() });
    await manager.get();
    getToken = () => 'et_new';
    await clock.advance(5 * minute);
    expect(await manager.get()).toBe('et_new');
  });

  it('sets fewer than 15 timers per token request, even if the clock returns fractions of milliseconds', async () => {
    for (const random of [0.123456, 0.654321, 0.999]) {
      const { manager, clock, tokenCalls } = setupTokens({
        lifetime: 20_001,
        random: () => random,
      });
      // `performance.now()` returns fractions of milliseconds.
      clock.drift(0.7);
      await manager.get();
      await clock.advance(minute);
      expect(tokenCalls.length).toBeGreaterThan(3);
      expect(clock.timersSet).toBeLessThan(15 * tokenCalls.length);
      manager.close();
    }
  });

  it('leaves no timer and no listener after close', async () => {
    const { manager, clock, page } = setupTokens();
    await manager.get();
    await clock.advance(minute);
    manager.close();
    expect([clock.pending, page.watchers]).toEqual([0, 0]);
  });

  it('refreshes tokens of any lifetime before they expire, at least five seconds apart', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 12, max: 3700 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (seconds, random) => {
          const lifetime = seconds * 1000;
          const { manager, clock, tokenCalls } = setupTokens({ lifetime, random: () => random });
          await manager.get();
          await clock.advance(3 * lifetime);
          manager.close();
          for (const interval of requestIntervals(tokenCalls)) {
            expect(interval).toBeGreaterThanOrEqual(5_000);
            expect(interval).toBeLessThan(lifetime);
          }
          expect(tokenCalls.length).toBeGreaterThan(2);
        },
      ),
      { numRuns: 6 },
    );
  });
});

describe('refreshPoint', () => {
  it('is within the lifetime, and at least five minutes before the end of a lifetime over 50 minutes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 86_400_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (lifetime, random) => {
          const point = refreshPoint(lifetime, () => random);
          expect(point).toBeGreaterThan(0);
          expect(point).toBeLessThan(lifetime);
          if (lifetime > 50 * minute) expect(lifetime - point).toBeGreaterThanOrEqual(5 * minute);
        },
      ),
    );
  });
});
