import { describe, expect, it } from 'vitest';
import { AuthDenied, type InlayError } from '../errors.ts';
import { codeOf, getTokenResults, minute, rejection, setupTokens } from '../testing/token-setup.ts';

const expired = () => rejection('EMBED_TOKEN_EXPIRED');
const revoked = () => rejection('EMBED_TOKEN_REVOKED');

/** A manager with a token that is a minute old. */
async function setupHeld(options: Parameters<typeof setupTokens>[0] = {}) {
  const setup = setupTokens(options);
  await setup.manager.get();
  await setup.clock.advance(minute);
  return setup;
}

/** Lets a call run as far as it comes within a few seconds. */
async function soon<Value>(
  { clock }: Awaited<ReturnType<typeof setupHeld>>,
  call: Promise<Value>,
): Promise<Value> {
  call.catch(() => {});
  await clock.advance(6_000);
  return call;
}

describe('TokenManager: refused tokens', () => {
  it('T09: refreshes once for five requests that were refused with the same token', async () => {
    const setup = await setupHeld();
    const calls = Array.from({ length: 5 }, () => setup.manager.replace('et_1', expired()));
    expect(await soon(setup, Promise.all(calls))).toEqual(Array(5).fill('et_2'));
    expect(setup.tokenCalls.map(({ current }) => current)).toEqual([null, 'et_1']);
    expect(await setup.manager.replace('et_1', expired())).toBe('et_2');
    expect(setup.tokenCalls).toHaveLength(2);
  });

  it('T05: ends when the host returns the refused token', async () => {
    const setup = await setupHeld({ getToken: () => 'et_same' });
    const call = codeOf(setup.manager.replace('et_same', expired()));
    expect(await soon(setup, call)).toBe('INVALID_TOKEN_FROM_HOST');
    await setup.clock.advance(10 * minute);
    expect(setup.tokenCalls).toHaveLength(2);
    expect(setup.manager.state).toMatchObject({ status: 'expired', canReconnect: true });
  });

  it('T11: ends when the new token is refused as well', async () => {
    const setup = await setupHeld();
    const second = await soon(setup, setup.manager.replace('et_1', expired()));
    setup.manager.refuse(second, rejection('AUTHENTICATION_ERROR'));
    await setup.clock.advance(10 * minute);
    expect(setup.tokenCalls).toHaveLength(2);
    expect(await codeOf(setup.manager.get())).toBe('AUTHENTICATION_ERROR');
  });

  it('T12: requests no token for a blocked user or a forbidden origin', async () => {
    for (const [code, status] of [
      ['EMBED_USER_BLOCKED', 'blocked'],
      ['EMBED_ORIGIN_NOT_ALLOWED', 'origin_denied'],
    ] as const) {
      const { manager, clock, tokenCalls } = await setupHeld();
      manager.refuse('et_1', rejection(code));
      await clock.advance(10 * minute);
      expect(tokenCalls).toHaveLength(1);
      expect(manager.state.status).toBe(status);
      expect(await codeOf(manager.get())).toBe(code);
    }
  });

  it('T12, T13: requests one token after a revocation, and continues with it', async () => {
    const setup = await setupHeld();
    expect(await soon(setup, setup.manager.replace('et_1', revoked()))).toBe('et_2');
    expect(setup.manager.state).toMatchObject({ status: 'ok', error: null });
  });

  it('T13: ends when the host denies access after a revocation', async () => {
    const refusals: (null | InlayError | Error)[] = [null, new AuthDenied(), new Error('503')];
    for (const answer of refusals) {
      const setup = await setupHeld({ getToken: getTokenResults('et_1', answer) });
      await soon(setup, codeOf(setup.manager.replace('et_1', revoked())));
      await setup.clock.advance(10 * minute);
      expect(setup.tokenCalls).toHaveLength(2);
      expect(setup.manager.state).toMatchObject({ status: 'revoked', canReconnect: true });
    }
  });

  it('ends at a second revocation within a minute, without a request', async () => {
    const setup = await setupHeld();
    const second = await soon(setup, setup.manager.replace('et_1', revoked()));
    expect(await codeOf(setup.manager.replace(second, revoked()))).toBe('EMBED_TOKEN_REVOKED');
    expect(setup.tokenCalls).toHaveLength(2);
  });

  it('requests a token at a second revocation that is later', async () => {
    const setup = await setupHeld();
    const second = await soon(setup, setup.manager.replace('et_1', revoked()));
    await setup.clock.advance(minute);
    expect(await soon(setup, setup.manager.replace(second, revoked()))).toBe('et_3');
  });

  it('resumes after a block when the user reconnects', async () => {
    const setup = await setupHeld();
    setup.manager.refuse('et_1', rejection('EMBED_USER_BLOCKED'));
    await soon(setup, setup.manager.reconnect());
    expect(setup.manager.state.status).toBe('ok');
    expect(await setup.manager.get()).toBe('et_2');
  });

  it('shows the cause again when reconnecting fails', async () => {
    const setup = await setupHeld({ getToken: getTokenResults('et_1', null) });
    setup.manager.refuse('et_1', rejection('EMBED_TOKEN_REVOKED'));
    expect(await soon(setup, codeOf(setup.manager.reconnect()))).toBe('AUTH_DENIED');
    expect(setup.manager.state.status).toBe('revoked');
    expect(setup.tokenCalls).toHaveLength(2);
  });

  it('ends with a source that is not renewable', async () => {
    const setup = await setupHeld({
      source: { renewable: false, request: async () => 'et_once' },
    });
    await setup.clock.advance(5 * minute);
    expect(setup.manager.state).toMatchObject({ status: 'expired', canReconnect: false });
    expect(await codeOf(setup.manager.reconnect())).toBe('EMBED_TOKEN_EXPIRED');
  });

  it('recognizes a block in the error of getToken', async () => {
    const { manager } = setupTokens({
      getToken: () => Promise.reject({ code: 'EMBED_USER_BLOCKED' }),
    });
    expect(await codeOf(manager.get())).toBe('EMBED_USER_BLOCKED');
    expect(manager.state.status).toBe('blocked');
  });
});
