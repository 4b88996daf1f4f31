import { describe, expect, it } from 'vitest';
import { AuthDenied } from '../errors.ts';
import { codeOf, getTokenResults, minute, rejection, setupTokens } from '../testing/token-setup.ts';

const down = new Error('the backend is down');

describe('TokenManager: first token and failures', () => {
  it('T01: shares one chain of attempts among five callers, two failures long', async () => {
    const { manager, clock, tokenCalls, maxConcurrent } = setupTokens({
      getToken: getTokenResults(down, down, 'et_good'),
    });
    const calls = Promise.all(Array.from({ length: 5 }, () => manager.get()));
    await clock.advance(5_000);

    expect(await calls).toEqual(Array(5).fill('et_good'));
    expect(tokenCalls).toHaveLength(3);
    expect(maxConcurrent()).toBe(1);
  });

  it('T02: gives fifty callers the same error, and requests nothing for a minute', async () => {
    const { manager, clock, tokenCalls, maxConcurrent } = setupTokens({
      getToken: getTokenResults(down),
    });
    const calls = Array.from({ length: 50 }, () => manager.get().catch((error: unknown) => error));
    await clock.advance(0);
    expect(tokenCalls).toHaveLength(1);
    await clock.advance(15_000);

    const errors = new Set(await Promise.all(calls));
    expect(errors.size).toBe(1);
    expect(maxConcurrent()).toBe(1);
    const soFar = tokenCalls.length;
    expect(await codeOf(manager.get())).toBe('TOKEN_UNAVAILABLE');
    await clock.advance(58_000);
    expect(tokenCalls).toHaveLength(soFar);
    await clock.advance(3_000);
    expect(tokenCalls.length).toBeGreaterThan(soFar);
  });

  it('lets the user reconnect during the cool-down', async () => {
    const list = [down, 'et_good'];
    const { manager, clock } = setupTokens({
      getToken: () => getTokenResults(list[0] ?? null)(null),
    });
    const first = codeOf(manager.get());
    await clock.advance(15_000);
    await first;
    expect(manager.state).toMatchObject({ status: 'expired', canReconnect: true });
    list.shift();

    const reconnected = manager.reconnect();
    await clock.advance(0);
    await reconnected;
    expect(await manager.get()).toBe('et_good');
    expect(manager.state.status).toBe('ok');
  });

  it('T03: times out a request after ten seconds, and drops its late result', async () => {
    const late: ((token: string) => void)[] = [];
    const { manager, clock, tokenCalls } = setupTokens({
      getToken: () =>
        tokenCalls.length === 1
          ? new Promise<string>((resolve) => late.push(resolve))
          : 'et_second',
    });
    const call = manager.get();
    await clock.advance(11_000);
    expect(await call).toBe('et_second');

    late[0]?.('et_late');
    await clock.advance(0);
    expect(await manager.get()).toBe('et_second');
  });

  it('T04: rejects invalid tokens with an explanation after three attempts', async () => {
    const bad = ['', 'undefined', 'null', 'a b', 'a\nb', 'x'.repeat(200_000), { token: 7 }, 42];
    for (const value of bad) {
      const { manager, clock, tokenCalls } = setupTokens({ getToken: () => value as string });
      const call = codeOf(manager.get());
      await clock.advance(10 * minute);

      expect(await call).toBe('INVALID_TOKEN_FROM_HOST');
      expect(tokenCalls).toHaveLength(3);
      manager.close();
    }
  });

  it('T04: survives a getToken that throws before it returns', async () => {
    const { manager, clock } = setupTokens({ getToken: getTokenResults(down, 'et_good') });
    const call = manager.get();
    await clock.advance(1_000);
    expect(await call).toBe('et_good');
  });

  it('treats null, undefined and AuthDenied as a denial', async () => {
    for (const answer of [null, undefined, new AuthDenied()]) {
      const { manager, clock, tokenCalls } = setupTokens({
        getToken: () => (answer instanceof Error ? Promise.reject(answer) : answer),
      });
      expect(await codeOf(manager.get())).toBe('AUTH_DENIED');
      await clock.advance(10 * minute);
      expect(tokenCalls).toHaveLength(1);
      expect(manager.state).toMatchObject({ status: 'revoked', canReconnect: true });
    }
  });

  it('distinguishes a user without a token from one whose access ended', async () => {
    const never = setupTokens({ getToken: () => null });
    await codeOf(never.manager.get());
    expect(never.manager.state).toMatchObject({ status: 'revoked', externalUserId: null });
    expect(never.manager.state.error?.code).toBe('AUTH_DENIED');

    const ended = setupTokens({ getToken: getTokenResults('et_1', null) });
    await ended.manager.get();
    await ended.clock.advance(5 * minute);
    expect(ended.manager.state).toMatchObject({ status: 'revoked', externalUserId: 'ada' });
    expect(ended.manager.state.error?.code).toBe('AUTH_DENIED');
  });

  it('describes a token at most twice a minute while the platform fails', async () => {
    const { manager, clock, described, rejectToken } = setupTokens({ lifetime: 30 * minute });
    rejectToken('et_1', 'SERVICE_UNAVAILABLE');
    await manager.get();
    await clock.advance(minute);
    expect(described.length).toBeGreaterThan(1);
    expect(described.length).toBeLessThanOrEqual(3);
    expect(await manager.get()).toBe('et_1');
  });

  it('T06: rejects an expired token, and backs off', async () => {
    const spent = setupTokens({
      getToken: () => {
        spent.rejectToken('et_spent', 'EMBED_TOKEN_EXPIRED');
        return spent.tokenCalls.length === 1 ? 'et_1' : 'et_spent';
      },
    });
    await spent.manager.get();
    await spent.clock.advance(10 * minute);

    const gaps = spent.tokenCalls
      .map(({ at }, n) => at - (spent.tokenCalls[n - 1]?.at ?? 0))
      .slice(2);
    expect(gaps.length).toBeGreaterThan(3);
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
    expect(gaps.at(-1)).toBeGreaterThan(minute);
    expect(spent.manager.state).toMatchObject({ status: 'expired', canReconnect: true });

    // Retries do not end, so a repaired host is noticed.
    const tokenCalls = spent.tokenCalls.length;
    await spent.clock.advance(20 * minute);
    expect(spent.tokenCalls.length - tokenCalls).toBeGreaterThanOrEqual(3);
    expect(spent.tokenCalls.length - tokenCalls).toBeLessThanOrEqual(6);
  });

  it('T06: rejects a token that the platform reports as expired, and backs off', async () => {
    const spent = setupTokens({ lifetime: 0, random: () => 0.9 });
    const call = codeOf(spent.manager.get());
    await spent.clock.advance(5 * minute);

    expect(await call).toBe('resolved');
    expect(spent.tokenCalls.length).toBeLessThanOrEqual(4);
    expect(spent.manager.state.status).not.toBe('blocked');
  });

  it('T08: returns the old token while the host fails, and reports each retry once', async () => {
    const { manager, clock, diagnostics, tokenCalls } = setupTokens({
      getToken: () => (tokenCalls.length === 1 ? 'et_1' : Promise.reject(down)),
    });
    await manager.get();
    await clock.advance(4 * minute + 30_000);

    expect(tokenCalls.length).toBeGreaterThan(2);
    expect(await manager.get()).toBe('et_1');
    expect(manager.state.status).toBe('ok');
    expect(diagnostics[0]).toMatchObject({ type: 'token_retry', degraded: true });
  });

  it('T23: rejects pending callers, drops late tokens and leaves no timer when closed', async () => {
    const { manager, clock, page } = setupTokens({ getToken: () => new Promise(() => {}) });
    const call = codeOf(manager.get());
    await clock.advance(1_000);
    manager.close();
    manager.close();

    expect(await call).toBe('CLOSED');
    await clock.advance(0);
    expect(clock.pending).toBe(0);
    expect(page.watchers).toBe(0);
    expect(await codeOf(manager.get())).toBe('CLOSED');
  });

  it('T24: drops the token of a previous user, and rejects pending callers', async () => {
    const resolvers: ((token: string) => void)[] = [];
    const { manager, clock } = setupTokens({
      getToken: () => new Promise((resolve) => resolvers.push(resolve)),
    });
    const former = codeOf(manager.get());
    await clock.advance(0);
    manager.reset();
    const next = manager.get();
    await clock.advance(0);
    resolvers[0]?.('et_former');
    resolvers[1]?.('et_next');
    await clock.advance(0);

    expect(await former).toBe('SUBJECT_CHANGED');
    expect(await next).toBe('et_next');
  });

  it('T25: reports the change of user before it returns the new token', async () => {
    const order: string[] = [];
    const { manager, clock, tokenCalls } = setupTokens({
      subject: (token) => (token === 'et_1' ? 'ada' : 'bob'),
      onSubjectChange: () => order.push(`change after ${tokenCalls.length}`),
    });
    await manager.get();
    await clock.advance(0);
    const waiting = codeOf(manager.replace('et_1', rejection('EMBED_TOKEN_EXPIRED')));
    await clock.advance(6_000);

    expect(await waiting).toBe('SUBJECT_CHANGED');
    expect(order).toEqual(['change after 2']);
    expect(await manager.get()).toBe('et_2');
    expect(manager.state.externalUserId).toBe('bob');
  });

  it('T25: returns the new user’s token to a listener of the change', async () => {
    const given: Promise<string>[] = [];
    const setup = setupTokens({
      subject: (token) => (token === 'et_1' ? 'ada' : 'bob'),
      onSubjectChange: () => given.push(setup.manager.get()),
    });
    await setup.manager.get();
    await setup.clock.advance(5 * minute);

    expect(await Promise.all(given)).toEqual(['et_2']);
    expect(setup.tokenCalls).toHaveLength(2);
  });

  it('T27: accepts listeners that throw, request tokens and close it', async () => {
    const { manager, clock } = setupTokens();
    const heard: string[] = [];
    manager.subscribe(() => {
      throw new Error('a listener of the host');
    });
    manager.subscribe(() => void manager.get().catch(() => {}));
    manager.subscribe(() => heard.push(manager.state.status));
    await manager.get();
    await clock.advance(0);
    expect(heard).toContain('ok');

    manager.subscribe(() => manager.close());
    manager.limit(rejection('EMBED_BUDGET_EXCEEDED'));
    expect(await codeOf(manager.get())).toBe('CLOSED');
  });

  it('T28: rejects a reentrant call of getToken', async () => {
    const { manager } = setupTokens({ getToken: () => manager.get() });
    expect(await codeOf(manager.get())).toBe('TOKEN_REENTRANCY');
  });

  it('T29: isolates two managers of one page', async () => {
    const one = setupTokens();
    const two = setupTokens({ getToken: () => 'et_other' });
    expect(await one.manager.get()).toBe('et_1');
    one.manager.close();
    expect(await two.manager.get()).toBe('et_other');
  });
});
