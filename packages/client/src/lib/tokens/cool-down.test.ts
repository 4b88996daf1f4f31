import { describe, expect, it } from 'vitest';
import { InlayError } from '../errors.ts';
import { codeOf, getTokenResults, minute, setupTokens } from '../testing/token-setup.ts';

const backendError = new Error('the backend is down');

/** Calls `get` several times while the host page fails, until all calls have failed. */
async function failCalls(callers: number) {
  const setup = setupTokens({ getToken: getTokenResults(backendError) });
  const calls = Array.from({ length: callers }, () =>
    setup.manager.get().catch((error: unknown) => error),
  );
  await setup.clock.advance(15_000);
  return { ...setup, errors: new Set(await Promise.all(calls)) };
}

describe('a getToken that fails', () => {
  it('T02: is called no more often for fifty callers than for one', async () => {
    const single = await failCalls(1);
    const concurrent = await failCalls(50);

    expect(concurrent.tokenCalls).toEqual(single.tokenCalls);
    expect(concurrent.maxConcurrent()).toBe(1);
    expect(concurrent.errors.size).toBe(1);
  });

  it('T02: is not called for 50 seconds after the failure', async () => {
    const { manager, clock, tokenCalls } = await failCalls(50);
    const callsBefore = tokenCalls.length;
    for (let second = 0; second < 50; second += 1) {
      expect(await codeOf(manager.get())).toBe('TOKEN_UNAVAILABLE');
      await clock.advance(1_000);
    }
    expect(tokenCalls).toHaveLength(callsBefore);
  });

  it('T02: is called once, without delay, when the user reconnects', async () => {
    const { manager, clock, tokenCalls } = await failCalls(50);
    const callsBefore = tokenCalls.length;
    const reconnected = codeOf(manager.reconnect());
    await clock.advance(0);

    expect(await reconnected).toBe('TOKEN_UNAVAILABLE');
    await clock.advance(20_000);
    expect(tokenCalls).toHaveLength(callsBefore + 1);
  });

  it('T02: is called again a minute after the user has tried to reconnect', async () => {
    let isDown = true;
    const { manager, clock } = setupTokens({
      getToken: () => (isDown ? Promise.reject(backendError) : 'et_good'),
    });
    const call = codeOf(manager.get());
    await clock.advance(15_000);
    expect(await call).toBe('TOKEN_UNAVAILABLE');
    const reconnected = codeOf(manager.reconnect());
    await clock.advance(0);
    expect(await reconnected).toBe('TOKEN_UNAVAILABLE');
    expect(manager.state).toMatchObject({ status: 'expired', canReconnect: true });

    isDown = false;
    await clock.advance(minute);
    expect(manager.state.status).toBe('ok');
  });

  it('T08: is called with backoff while the token is valid, and makes no caller fail', async () => {
    const { manager, clock, diagnostics, tokenCalls, states } = setupTokens({
      lifetime: 20 * minute,
      random: () => 0.999,
      getToken: () => (tokenCalls.length === 1 ? 'et_1' : Promise.reject(backendError)),
    });
    await manager.get();
    await clock.advance(20 * minute - 1_000);
    const [, ...retries] = tokenCalls.map(({ at }) => at);
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

  it('T34: is not called during the `Retry-After` of its 429', async () => {
    const rateLimited = new InlayError('RATE_LIMITED', 'no', {
      retryable: true,
      status: 429,
      retryAfterMs: 600_000,
    });
    const { manager, clock, tokenCalls } = setupTokens({
      getToken: getTokenResults(rateLimited, 'et_good'),
    });
    const call = codeOf(manager.get());
    await clock.advance(10 * minute - 1_000);
    expect(await call).toBe('RATE_LIMITED');
    expect(tokenCalls).toHaveLength(1);
    await clock.advance(61_000);

    expect(tokenCalls).toHaveLength(2);
    expect(await manager.get()).toBe('et_good');
  });
});
