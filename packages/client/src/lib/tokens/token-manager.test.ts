import { describe, expect, it } from 'vitest';
import { AuthDeniedError } from '../errors.ts';
import {
  codeOf,
  getTokenResults,
  minute,
  rejectionError,
  setupTokens,
} from '../testing/token-setup.ts';

const backendError = new Error('the backend is down');

describe('TokenManager', () => {
  it('T01: shares three attempts among five callers when the first two attempts fail', async () => {
    const { manager, clock, tokenCalls, maxConcurrent } = setupTokens({
      getToken: getTokenResults(backendError, backendError, 'et_good'),
    });
    const calls = Promise.all(Array.from({ length: 5 }, () => manager.get()));
    await clock.advance(5_000);

    expect(await calls).toEqual(Array(5).fill('et_good'));
    expect(tokenCalls).toHaveLength(3);
    expect(maxConcurrent()).toBe(1);
  });

  it('T02: rejects fifty callers with the same error, and requests nothing for a minute', async () => {
    const { manager, clock, tokenCalls, maxConcurrent } = setupTokens({
      getToken: getTokenResults(backendError),
    });
    const calls = Array.from({ length: 50 }, () => manager.get().catch((error: unknown) => error));
    await clock.advance(0);
    expect(tokenCalls).toHaveLength(1);
    await clock.advance(15_000);

    const errors = new Set(await Promise.all(calls));
    expect(errors.size).toBe(1);
    expect(maxConcurrent()).toBe(1);
    const callsBefore = tokenCalls.length;
    expect(await codeOf(manager.get())).toBe('TOKEN_UNAVAILABLE');
    await clock.advance(58_000);
    expect(tokenCalls).toHaveLength(callsBefore);
    await clock.advance(3_000);
    expect(tokenCalls.length).toBeGreaterThan(callsBefore);
  });

  it('lets the user reconnect during the cool-down', async () => {
    const results = [backendError, 'et_good'];
    const { manager, clock } = setupTokens({
      getToken: () => getTokenResults(results[0] ?? null)(null),
    });
    const first = codeOf(manager.get());
    await clock.advance(15_000);
    await first;
    expect(manager.state).toMatchObject({ status: 'expired', canReconnect: true });
    results.shift();

    const reconnected = manager.reconnect();
    await clock.advance(0);
    await reconnected;
    expect(await manager.get()).toBe('et_good');
    expect(manager.state.status).toBe('ok');
  });

  it('T03: times out a request after ten seconds, and drops its late result', async () => {
    const resolvers: ((token: string) => void)[] = [];
    const { manager, clock, tokenCalls } = setupTokens({
      getToken: () =>
        tokenCalls.length === 1
          ? new Promise<string>((resolve) => resolvers.push(resolve))
          : 'et_second',
    });
    const call = manager.get();
    await clock.advance(11_000);
    expect(await call).toBe('et_second');

    resolvers[0]?.('et_late');
    await clock.advance(0);
    expect(await manager.get()).toBe('et_second');
  });

  it('T04: rejects with INVALID_TOKEN_FROM_HOST after three invalid tokens', async () => {
    const invalidValues = [
      '',
      'undefined',
      'null',
      'a b',
      'a\nb',
      'x'.repeat(200_000),
      { token: 7 },
      42,
    ];
    for (const value of invalidValues) {
      const { manager, clock, tokenCalls } = setupTokens({ getToken: () => value as string });
      const call = codeOf(manager.get());
      await clock.advance(10 * minute);

      expect(await call).toBe('INVALID_TOKEN_FROM_HOST');
      expect(tokenCalls).toHaveLength(3);
      manager.close();
    }
  });

  it('denies access when getToken returns null or undefined, or rejects with AuthDeniedError', async () => {
    for (const result of [null, undefined, new AuthDeniedError()]) {
      const { manager, clock, tokenCalls } = setupTokens({
        getToken: () => (result instanceof Error ? Promise.reject(result) : result),
      });
      expect(await codeOf(manager.get())).toBe('AUTH_DENIED');
      await clock.advance(10 * minute);
      expect(tokenCalls).toHaveLength(1);
      expect(manager.state).toMatchObject({ status: 'revoked', canReconnect: true });
    }
  });

  it('keeps the id of a user whose access ends, and has no id for a user who never had a token', async () => {
    const withoutToken = setupTokens({ getToken: () => null });
    await codeOf(withoutToken.manager.get());
    expect(withoutToken.manager.state).toMatchObject({ status: 'revoked', externalUserId: null });
    expect(withoutToken.manager.state.error?.code).toBe('AUTH_DENIED');

    const ended = setupTokens({ getToken: getTokenResults('et_1', null) });
    await ended.manager.get();
    await ended.clock.advance(5 * minute);
    expect(ended.manager.state).toMatchObject({ status: 'revoked', externalUserId: 'ada' });
    expect(ended.manager.state.error?.code).toBe('AUTH_DENIED');
  });

  it('requests the properties of a token at most three times in the first minute while the platform fails', async () => {
    const { manager, clock, described, rejectToken } = setupTokens({ lifetime: 30 * minute });
    rejectToken('et_1', 'SERVICE_UNAVAILABLE');
    await manager.get();
    await clock.advance(minute);
    expect(described.length).toBeGreaterThan(1);
    expect(described.length).toBeLessThanOrEqual(3);
    expect(await manager.get()).toBe('et_1');
  });

  it('T06: requests tokens with increasing delays while the host page returns expired tokens', async () => {
    const expired = setupTokens({
      getToken: () => {
        expired.rejectToken('et_expired', 'EMBED_TOKEN_EXPIRED');
        return expired.tokenCalls.length === 1 ? 'et_1' : 'et_expired';
      },
    });
    await expired.manager.get();
    await expired.clock.advance(10 * minute);

    const intervals = expired.tokenCalls
      .map(({ at }, index) => at - (expired.tokenCalls[index - 1]?.at ?? 0))
      .slice(2);
    expect(intervals.length).toBeGreaterThan(3);
    expect(intervals).toEqual([...intervals].sort((a, b) => a - b));
    expect(intervals.at(-1)).toBeGreaterThan(minute);
    expect(expired.manager.state).toMatchObject({ status: 'expired', canReconnect: true });

    // Retries continue, so that a recovered host page is noticed.
    const callsBefore = expired.tokenCalls.length;
    await expired.clock.advance(20 * minute);
    expect(expired.tokenCalls.length - callsBefore).toBeGreaterThanOrEqual(3);
    expect(expired.tokenCalls.length - callsBefore).toBeLessThanOrEqual(6);
  });

  it('T06: requests at most four tokens in five minutes when the platform reports a lifetime of 0', async () => {
    const expired = setupTokens({ lifetime: 0, random: () => 0.9 });
    const call = codeOf(expired.manager.get());
    await expired.clock.advance(5 * minute);

    expect(await call).toBe('resolved');
    expect(expired.tokenCalls.length).toBeLessThanOrEqual(4);
    expect(expired.manager.state.status).not.toBe('blocked');
  });

  it('T08: returns the old token while the host page fails, and reports the retries', async () => {
    const { manager, clock, diagnostics, tokenCalls } = setupTokens({
      getToken: () => (tokenCalls.length === 1 ? 'et_1' : Promise.reject(backendError)),
    });
    await manager.get();
    await clock.advance(4 * minute + 30_000);

    expect(tokenCalls.length).toBeGreaterThan(2);
    expect(await manager.get()).toBe('et_1');
    expect(manager.state.status).toBe('ok');
    expect(diagnostics[0]).toMatchObject({ type: 'token_retry', degraded: true });
  });

  it('T23: rejects pending callers, and leaves no timer or listener, when closed', async () => {
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

  it('T24: drops a late token of the previous user, and rejects that user’s callers', async () => {
    const resolvers: ((token: string) => void)[] = [];
    const { manager, clock } = setupTokens({
      getToken: () => new Promise((resolve) => resolvers.push(resolve)),
    });
    const adasCall = codeOf(manager.get());
    await clock.advance(0);
    manager.reset();
    const bobsCall = manager.get();
    await clock.advance(0);
    resolvers[0]?.('et_ada');
    resolvers[1]?.('et_bob');
    await clock.advance(0);

    expect(await adasCall).toBe('SUBJECT_CHANGED');
    expect(await bobsCall).toBe('et_bob');
  });

  it('T25: reports a change of user, and rejects the calls of the previous user', async () => {
    const order: string[] = [];
    const { manager, clock, tokenCalls } = setupTokens({
      subject: (token) => (token === 'et_1' ? 'ada' : 'bob'),
      onSubjectChange: () => order.push(`change after ${tokenCalls.length}`),
    });
    await manager.get();
    await clock.advance(0);
    const pending = codeOf(manager.replace('et_1', rejectionError('EMBED_TOKEN_EXPIRED')));
    await clock.advance(6_000);

    expect(await pending).toBe('SUBJECT_CHANGED');
    expect(order).toEqual(['change after 2']);
    expect(await manager.get()).toBe('et_2');
    expect(manager.state.externalUserId).toBe('bob');
  });

  it('T25: returns the new user’s token to a listener of the change', async () => {
    const received: Promise<string>[] = [];
    const setup = setupTokens({
      subject: (token) => (token === 'et_1' ? 'ada' : 'bob'),
      onSubjectChange: () => received.push(setup.manager.get()),
    });
    await setup.manager.get();
    await setup.clock.advance(5 * minute);

    expect(await Promise.all(received)).toEqual(['et_2']);
    expect(setup.tokenCalls).toHaveLength(2);
  });

  it('T27: tolerates listeners that throw, request tokens or close the manager', async () => {
    const { manager, clock } = setupTokens();
    const notifications: string[] = [];
    manager.subscribe(() => {
      throw new Error('a listener of the host page');
    });
    manager.subscribe(() => void manager.get().catch(() => {}));
    manager.subscribe(() => notifications.push(manager.state.status));
    await manager.get();
    await clock.advance(0);
    expect(notifications).toContain('ok');

    manager.subscribe(() => manager.close());
    manager.limit(rejectionError('EMBED_BUDGET_EXCEEDED'));
    expect(await codeOf(manager.get())).toBe('CLOSED');
  });

  it('denies access after an exception that is not an `InlayError`, and reports it', async () => {
    const defect = new TypeError('undefined is not a function');
    const { manager, clock, tokenCalls, described, diagnostics } = setupTokens({
      subject: () => {
        throw defect;
      },
    });
    await manager.get();
    expect(await codeOf(manager.facts())).toBe('UNEXPECTED_ERROR');
    await clock.advance(3_600_000);

    expect([tokenCalls.length, described.length]).toEqual([1, 1]);
    expect(manager.state).toMatchObject({ status: 'expired', error: { cause: defect } });
    expect(diagnostics).toEqual([{ type: 'unexpected_error', error: defect, eventId: null }]);
  });

  it('T28: rejects a token request that getToken itself makes', async () => {
    const { manager } = setupTokens({ getToken: () => manager.get() });
    expect(await codeOf(manager.get())).toBe('TOKEN_REENTRANCY');
  });

  it('T29: shares no token with another manager of the page', async () => {
    const firstManager = setupTokens();
    const secondManager = setupTokens({ getToken: () => 'et_other' });
    expect(await firstManager.manager.get()).toBe('et_1');
    firstManager.manager.close();
    expect(await secondManager.manager.get()).toBe('et_other');
  });
});
