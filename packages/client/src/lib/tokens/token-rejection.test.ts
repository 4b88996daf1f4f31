import { describe, expect, it } from 'vitest';
import { AuthDeniedError, type InlayError } from '../errors.ts';
import {
  codeOf,
  getTokenResults,
  minute,
  rejectionError,
  setupTokens,
} from '../testing/token-setup.ts';

const expiredError = () => rejectionError('EMBED_TOKEN_EXPIRED');
const revokedError = () => rejectionError('EMBED_TOKEN_REVOKED');

/** Creates a manager with a token that is a minute old. */
async function setupWithToken(options: Parameters<typeof setupTokens>[0] = {}) {
  const setup = setupTokens(options);
  await setup.manager.get();
  await setup.clock.advance(minute);
  return setup;
}

/** Advances the clock by a few seconds, and returns the result of a call. */
async function resultOf<Value>(
  { clock }: Awaited<ReturnType<typeof setupWithToken>>,
  call: Promise<Value>,
): Promise<Value> {
  call.catch(() => {});
  await clock.advance(6_000);
  return call;
}

describe('TokenManager with a rejected token', () => {
  it('T09: refreshes once for five requests that were rejected with the same token', async () => {
    const setup = await setupWithToken();
    const calls = Array.from({ length: 5 }, () => setup.manager.replace('et_1', expiredError()));
    expect(await resultOf(setup, Promise.all(calls))).toEqual(Array(5).fill('et_2'));
    expect(setup.tokenCalls.map(({ current }) => current)).toEqual([null, 'et_1']);
    expect(await setup.manager.replace('et_1', expiredError())).toBe('et_2');
    expect(setup.tokenCalls).toHaveLength(2);
  });

  it('T05: denies access when the host page returns the rejected token again', async () => {
    const setup = await setupWithToken({ getToken: () => 'et_same' });
    const call = codeOf(setup.manager.replace('et_same', expiredError()));
    expect(await resultOf(setup, call)).toBe('INVALID_TOKEN_FROM_HOST');
    await setup.clock.advance(10 * minute);
    expect(setup.tokenCalls).toHaveLength(2);
    expect(setup.manager.state).toMatchObject({ status: 'expired', canReconnect: true });
  });

  it('T11: denies access when the new token is rejected as well', async () => {
    const setup = await setupWithToken();
    const second = await resultOf(setup, setup.manager.replace('et_1', expiredError()));
    setup.manager.reject(second, rejectionError('AUTHENTICATION_ERROR'));
    await setup.clock.advance(10 * minute);
    expect(setup.tokenCalls).toHaveLength(2);
    expect(await codeOf(setup.manager.get())).toBe('AUTHENTICATION_ERROR');
  });

  it('T12: requests no token for a blocked user or a forbidden origin', async () => {
    for (const [code, status] of [
      ['EMBED_USER_BLOCKED', 'blocked'],
      ['EMBED_ORIGIN_NOT_ALLOWED', 'origin_denied'],
    ] as const) {
      const { manager, clock, tokenCalls } = await setupWithToken();
      manager.reject('et_1', rejectionError(code));
      await clock.advance(10 * minute);
      expect(tokenCalls).toHaveLength(1);
      expect(manager.state.status).toBe(status);
      expect(await codeOf(manager.get())).toBe(code);
    }
  });

  it('T12, T13: requests one token after a revocation, and continues with it', async () => {
    const setup = await setupWithToken();
    expect(await resultOf(setup, setup.manager.replace('et_1', revokedError()))).toBe('et_2');
    expect(setup.manager.state).toMatchObject({ status: 'ok', error: null });
    expect(await setup.manager.get()).toBe('et_2');
    expect(setup.tokenCalls.map(({ current }) => current)).toEqual([null, 'et_1']);
  });

  it('T13: denies access when the host page provides no token after a revocation', async () => {
    const results: (null | InlayError | Error)[] = [null, new AuthDeniedError(), new Error('503')];
    for (const result of results) {
      const setup = await setupWithToken({ getToken: getTokenResults('et_1', result) });
      await resultOf(setup, codeOf(setup.manager.replace('et_1', revokedError())));
      await setup.clock.advance(10 * minute);
      expect(setup.tokenCalls).toHaveLength(2);
      expect(setup.manager.state).toMatchObject({ status: 'revoked', canReconnect: true });
    }
  });

  it('denies access at a second revocation within a minute, without a request', async () => {
    const setup = await setupWithToken();
    const second = await resultOf(setup, setup.manager.replace('et_1', revokedError()));
    expect(await codeOf(setup.manager.replace(second, revokedError()))).toBe('EMBED_TOKEN_REVOKED');
    expect(setup.tokenCalls).toHaveLength(2);
  });

  it('requests a token at a second revocation after more than a minute', async () => {
    const setup = await setupWithToken();
    const second = await resultOf(setup, setup.manager.replace('et_1', revokedError()));
    await setup.clock.advance(minute);
    expect(await resultOf(setup, setup.manager.replace(second, revokedError()))).toBe('et_3');
    expect(setup.tokenCalls).toHaveLength(3);
  });

  it('resumes after a block when the user reconnects', async () => {
    const setup = await setupWithToken();
    setup.manager.reject('et_1', rejectionError('EMBED_USER_BLOCKED'));
    await resultOf(setup, setup.manager.reconnect());
    expect(setup.manager.state.status).toBe('ok');
    expect(await setup.manager.get()).toBe('et_2');
  });

  it('has the status “revoked” again when reconnecting fails', async () => {
    const setup = await setupWithToken({ getToken: getTokenResults('et_1', null) });
    setup.manager.reject('et_1', rejectionError('EMBED_TOKEN_REVOKED'));
    expect(await resultOf(setup, codeOf(setup.manager.reconnect()))).toBe('AUTH_DENIED');
    expect(setup.manager.state.status).toBe('revoked');
    expect(setup.tokenCalls).toHaveLength(2);
  });

  it('denies access when the platform reports that the token of a source that is not renewable has expired', async () => {
    const setup = await setupWithToken({
      source: { renewable: false, request: async () => 'et_once' },
    });
    setup.rejectToken('et_once', 'EMBED_TOKEN_EXPIRED');
    await setup.clock.advance(5.5 * minute);
    expect(setup.manager.state).toMatchObject({ status: 'expired', canReconnect: false });
    expect(await codeOf(setup.manager.reconnect())).toBe('EMBED_TOKEN_EXPIRED');
  });

  it('has the status “blocked” when getToken rejects with EMBED_USER_BLOCKED', async () => {
    const { manager } = setupTokens({
      getToken: () => Promise.reject({ code: 'EMBED_USER_BLOCKED' }),
    });
    expect(await codeOf(manager.get())).toBe('EMBED_USER_BLOCKED');
    expect(manager.state.status).toBe('blocked');
  });
});
