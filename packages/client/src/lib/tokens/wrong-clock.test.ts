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
 * Returns the times of the token requests within an hour, on a machine whose clock is wrong by
 * `error`: from the start, or since it was set after a minute.
 */
async function questions(error: number, grant: 'bare' | 'dated', since: 'ever' | 'set' = 'ever') {
  const clock = new FakeClock();
  const platformTime = () => Date.UTC(2026, 0, 1) + clock.mono();
  if (since === 'ever') clock.setBy(error);
  const tokenCalls: number[] = [];
  const ends = new Map<string, number>();
  const manager = new TokenManager({
    source: hostTokens(() => {
      tokenCalls.push(clock.mono());
      const token = `et_${tokenCalls.length}`;
      const end = platformTime() + lifetime;
      ends.set(token, end);
      return grant === 'bare' ? token : { token, expires_at: new Date(end).toISOString() };
    }),
    baseUrl: 'http://platform.test',
    ports: browserPorts({ clock, page: new FakePage(), random: () => 0.5 }),
    describe: async (token) => ({
      lifetime: (ends.get(token) ?? 0) - platformTime(),
      subject: 'ada',
      serverTime: platformTime(),
    }),
  });
  await manager.get();
  if (since === 'set') {
    await clock.advance(minute);
    clock.setBy(error);
  }
  let spent = 0;
  for (let passed = 0; passed < hour; passed += 10_000) {
    await clock.advance(10_000);
    if ((ends.get(await manager.get()) ?? 0) <= platformTime()) spent += 1;
  }
  const { status } = manager.state;
  manager.close();
  return { tokenCalls, spent, status };
}

describe.each(['bare', 'dated'] as const)('a wrong clock, with %s tokens', (grant) => {
  it('T14: ten minutes ahead, refreshes at the same times as a correct one', async () => {
    const right = await questions(0, grant);
    const ahead = await questions(10 * minute, grant);

    expect(right.tokenCalls.length).toBeGreaterThan(12);
    expect(right.tokenCalls.length).toBeLessThan(20);
    expect(ahead.tokenCalls).toEqual(right.tokenCalls);
  });

  it('T15: ten minutes behind, uses no expired token', async () => {
    const right = await questions(0, grant);
    const behind = await questions(-10 * minute, grant);

    expect(behind.tokenCalls).toEqual(right.tokenCalls);
    expect(behind.spent).toBe(0);
  });

  it('T14: set ahead by ten minutes, causes one refresh and no failure', async () => {
    const right = await questions(0, grant);
    const set = await questions(10 * minute, grant, 'set');

    expect(set.tokenCalls.length).toBeLessThanOrEqual(right.tokenCalls.length + 1);
    expect(set).toMatchObject({ spent: 0, status: 'ok' });
  });
});
