import { describe, expect, it } from 'vitest';
import { minute, setupTokens } from '../testing/token-setup.ts';

/** A token whose refresh comes due while the network is gone; the host can't be reached then. */
async function setupOffline(browserSays: 'offline' | 'online') {
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
  if (browserSays === 'offline') setup.page.emit('offline');
  const times = () => setup.tokenCalls.slice(1).map(({ at }) => at);
  const restore = () => {
    reachable = true;
  };
  return { ...setup, times, restore };
}

describe('a refresh without a network', () => {
  it('T22: is retried every thirty seconds while the browser reports no network', async () => {
    const { clock, times } = await setupOffline('offline');
    await clock.advance(8 * minute);

    const gaps = times()
      .slice(1)
      .map((at, index) => at - (times()[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(1);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000);
  });

  it('T22: is retried at once when the network is back', async () => {
    const { manager, clock, page, times, restore } = await setupOffline('offline');
    await clock.advance(8 * minute + 3_000);
    const before = times().length;
    restore();
    page.emit('online');
    await clock.advance(0);

    expect(times()).toHaveLength(before + 1);
    expect(await manager.get()).toBe(`et_${before + 2}`);
  });

  it('T22: backs off when the browser wrongly reports a network', async () => {
    const { clock, times } = await setupOffline('online');
    await clock.advance(8 * minute);

    const gaps = times()
      .slice(1)
      .map((at, index) => at - (times()[index] ?? 0));
    expect(gaps.slice(0, 6)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000]);
    expect(Math.max(...gaps)).toBe(15_000);
  });
});
