import { describe, expect, it } from 'vitest';
import { InlayError } from '../errors.ts';
import { answers, codeOf, minute, setupTokens } from '../testing/token-setup.ts';

const down = new Error('the backend is down');

/** So many callers, who all wait until they give up. */
async function giveUp(callers: number) {
  const setup = setupTokens({ getToken: answers(down) });
  const calls = Array.from({ length: callers }, () =>
    setup.manager.get().catch((error: unknown) => error),
  );
  await setup.clock.advance(15_000);
  return { ...setup, errors: new Set(await Promise.all(calls)) };
}

describe('TokenManager: a host that fails', () => {
  it('T02: gets no more requests from fifty callers than from one', async () => {
    const one = await giveUp(1);
    const fifty = await giveUp(50);

    expect(fifty.asked).toEqual(one.asked);
    expect(fifty.mostInFlight()).toBe(1);
    expect(fifty.errors.size).toBe(1);
  });

  it('T02: gets no request for a minute after the failure, from any caller', async () => {
    const { manager, clock, asked } = await giveUp(50);
    const before = asked.length;
    for (let second = 0; second < 50; second += 1) {
      expect(await codeOf(manager.get())).toBe('TOKEN_UNAVAILABLE');
      await clock.advance(1_000);
    }
    expect(asked).toHaveLength(before);
  });

  it('T02: gets one request at once when the user reconnects', async () => {
    const { manager, clock, asked } = await giveUp(50);
    const before = asked.length;
    const reconnected = codeOf(manager.reconnect());
    await clock.advance(0);

    expect(await reconnected).toBe('TOKEN_UNAVAILABLE');
    await clock.advance(20_000);
    expect(asked).toHaveLength(before + 1);
  });

  it('T08: gets requests with backoff while the token is valid, and no caller fails', async () => {
    const { manager, clock, diagnostics, asked, states } = setupTokens({
      lifetime: 20 * minute,
      random: () => 0.999,
      getToken: () => (asked.length === 1 ? 'et_1' : Promise.reject(down)),
    });
    await manager.get();
    await clock.advance(20 * minute - 1_000);
    const [, ...retries] = asked.map(({ at }) => at);
    const pauses = retries.slice(1).map((at, index) => at - (retries[index] ?? 0));

    expect(20 * minute - (retries[0] ?? 0)).toBeGreaterThan(4 * minute);
    expect(pauses.slice(0, 6).map((pause) => Math.round(pause / 500))).toEqual([
      1, 2, 4, 8, 16, 32,
    ]);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000);
    expect(pauses.at(-1)).toBeGreaterThan(29_000);
    expect(await manager.get()).toBe('et_1');
    expect(new Set(states.slice(states.indexOf('ok')))).toEqual(new Set(['ok']));
    expect(diagnostics).toHaveLength(retries.length);
    for (const diagnostic of diagnostics) expect(diagnostic).toMatchObject({ degraded: true });
  });

  it('T34: gets no request during the wait of its 429', async () => {
    const busy = new InlayError('RATE_LIMITED', 'no', {
      retryable: true,
      status: 429,
      retryAfterMs: 600_000,
    });
    const { manager, clock, asked } = setupTokens({ getToken: answers(busy, 'et_good') });
    const call = codeOf(manager.get());
    await clock.advance(10 * minute - 1_000);
    expect(await call).toBe('RATE_LIMITED');
    expect(asked).toHaveLength(1);
    await clock.advance(61_000);

    expect(asked).toHaveLength(2);
    expect(await manager.get()).toBe('et_good');
  });
});
