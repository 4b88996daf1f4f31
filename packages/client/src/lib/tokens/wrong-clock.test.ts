import { describe, expect, it } from 'vitest';
import { browserPorts } from '../ports.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakePage } from '../testing/fake-page.ts';
import { minute } from '../testing/token-setup.ts';
import { hostTokens } from './sources/host.ts';
import { TokenManager } from './token-manager.ts';

const lifetime = 5 * minute;
const hour = 60 * minute;

/**
 * Returns the times of the token requests within an hour on a machine whose clock is wrong, the number
 * of expired tokens that callers received, and the final status.
 *
 * @param error Error of the clock in milliseconds.
 * @param expiry Whether `getToken` returns only the token, or also its expiry.
 * @param since Whether the clock is wrong from the start, or changed after a minute.
 */
async function requestTimes(
  error: number,
  expiry: 'without' | 'with',
  since: 'start' | 'change' = 'start',
) {
  const clock = new FakeClock();
  const platformTime = () => Date.UTC(2026, 0, 1) + clock.mono();
  if (since === 'start') clock.adjustWallClock(error);
  const tokenCalls: number[] = [];
  const expiries = new Map<string, number>();
  const manager = new TokenManager({
    source: hostTokens(() => {
      tokenCalls.push(clock.mono());
      const token = `et_${tokenCalls.length}`;
      const expiresAt = platformTime() + lifetime;
      expiries.set(token, expiresAt);
      return expiry === 'without'
        ? token
        : { token, expires_at: new Date(expiresAt).toISOString() };
    }),
    baseUrl: 'http://platform.test',
    ports: browserPorts({ clock, page: new FakePage(), random: () => 0.5 }),
    describe: async (token) => ({
      lifetime: (expiries.get(token) ?? 0) - platformTime(),
      subject: 'ada',
      serverTime: platformTime(),
    }),
  });
  await manager.get();
  if (since === 'change') {
    await clock.advance(minute);
    clock.adjustWallClock(error);
  }
  let expiredTokens = 0;
  for (let elapsed = 0; elapsed < hour; elapsed += 10_000) {
    await clock.advance(10_000);
    if ((expiries.get(await manager.get()) ?? 0) <= platformTime()) expiredTokens += 1;
  }
  const { status } = manager.state;
  manager.close();
  return { tokenCalls, expiredTokens, status };
}

describe.each(['without', 'with'] as const)(
  'a wrong clock, when getToken returns tokens %s an expiry,',
  (expiry) => {
    it('T14: causes the same requests as a correct clock when it is ten minutes ahead', async () => {
      const correct = await requestTimes(0, expiry);
      const ahead = await requestTimes(10 * minute, expiry);

      expect(correct.tokenCalls.length).toBeGreaterThan(12);
      expect(correct.tokenCalls.length).toBeLessThan(20);
      expect(ahead.tokenCalls).toEqual(correct.tokenCalls);
    });

    it('T15: causes the same requests, and no use of expired tokens, when it is ten minutes behind', async () => {
      const correct = await requestTimes(0, expiry);
      const behind = await requestTimes(-10 * minute, expiry);

      expect(behind.tokenCalls).toEqual(correct.tokenCalls);
      expect(behind.expiredTokens).toBe(0);
    });

    it('T14: causes at most one additional refresh, and no failure, when it is set ahead by ten minutes', async () => {
      const correct = await requestTimes(0, expiry);
      const changed = await requestTimes(10 * minute, expiry, 'change');

      expect(changed.tokenCalls.length).toBeLessThanOrEqual(correct.tokenCalls.length + 1);
      expect(changed).toMatchObject({ expiredTokens: 0, status: 'ok' });
    });
  },
);
