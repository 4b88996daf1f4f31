import { describe, expect, it } from 'vitest';
import { minute, setupTokens } from '../testing/token-setup.ts';

/**
 * Creates a manager whose `getToken` fails with a network error when a refresh is due.
 *
 * @param reported Whether the browser reports that it is offline or online.
 */
async function setupOffline(reported: 'offline' | 'online') {
  let reachable = true;
  const setup = setupTokens({
    lifetime: 10 * minute,
    random: () => 0.5,
    getToken: () => {
      if (!reachable) throw new TypeError('Failed to fetch');
      return `et_${setup.tokenCalls.length}`;
    },
  });
  await setup.manager.get();
  await setup.clock.advance(minute);
  reachable = false;
  if (reported === 'offline') setup.page.emit('offline');
  const refreshTimes = () => setup.tokenCalls.slice(1).map(({ at }) => at);
  const restore = () => {
    reachable = true;
  };
  return { ...setup, refreshTimes, restore };
}

describe('a token refresh while offline', () => {
  it('T22: is retried every 30 to 60 seconds while the browser reports that it is offline', async () => {
    const { clock, refreshTimes } = await setupOffline('offline');
    await clock.advance(8 * minute);

    const intervals = refreshTimes()
      .slice(1)
      .map((at, index) => at - (refreshTimes()[index] ?? 0));
    expect(intervals.length).toBeGreaterThan(1);
    expect(Math.min(...intervals)).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...intervals)).toBeLessThanOrEqual(60_000);
  });

  it('T22: is retried immediately when the browser is online again', async () => {
    const { manager, clock, page, refreshTimes, restore } = await setupOffline('offline');
    await clock.advance(8 * minute + 3_000);
    const before = refreshTimes().length;
    restore();
    page.emit('online');
    await clock.advance(0);

    expect(refreshTimes()).toHaveLength(before + 1);
    expect(await manager.get()).toBe(`et_${before + 2}`);
  });

  it('T22: is retried with backoff when the browser wrongly reports that it is online', async () => {
    const { clock, refreshTimes } = await setupOffline('online');
    await clock.advance(8 * minute);

    const intervals = refreshTimes()
      .slice(1)
      .map((at, index) => at - (refreshTimes()[index] ?? 0));
    expect(intervals.slice(0, 6)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000]);
    expect(Math.max(...intervals)).toBe(15_000);
  });
});
