import { describe, expect, it } from 'vitest';
import { InlayError } from '../../errors.ts';
import { setupTokens } from '../../testing/token-setup.ts';
import { fetchToken } from './fetch-token.ts';

const url = 'https://host.test/token';

/** Returns what `fetchToken` returns or throws for a response of the endpoint. */
async function resultFor(status: number, body: unknown): Promise<unknown> {
  const fetch = async () => Response.json(body, { status });
  return fetchToken(url, { fetch })().catch((error: unknown) => error);
}

describe('fetchToken', () => {
  it('returns the token and its expiry', async () => {
    const grant = { token: 'et_1', expires_at: '2026-01-01T00:05:00Z' };
    expect(await resultFor(200, grant)).toEqual(grant);
  });

  it('returns null when no user is signed in', async () => {
    expect(await resultFor(401, { code: 'SIGNED_OUT' })).toBeNull();
  });

  it('reports a blocked user, for whom no other token is requested', async () => {
    const rejection = await resultFor(403, { code: 'EMBED_USER_BLOCKED' });
    expect(rejection).toMatchObject({ code: 'EMBED_USER_BLOCKED', retryable: false });

    const { manager, clock, tokenCalls } = setupTokens({
      getToken: () => Promise.reject(rejection),
    });
    manager.get().catch(() => {});
    await clock.advance(60_000);
    expect(manager.state.status).toBe('blocked');
    expect(tokenCalls).toHaveLength(1);
  });

  it('reports a misconfigured backend, and does not ask again', async () => {
    const rejection = await resultFor(500, { code: 'MISCONFIGURED' });
    expect(rejection).toMatchObject({ code: 'MISCONFIGURED', retryable: false, status: 500 });
    expect(String(rejection)).toContain(
      'Its API key, its agent or the policy of the agent is wrong, and its log names which.',
    );

    const { manager, clock, tokenCalls } = setupTokens({
      getToken: () => Promise.reject(rejection),
    });
    manager.get().catch(() => {});
    await clock.advance(60_000);
    expect(manager.state).toMatchObject({ error: { code: 'MISCONFIGURED' }, canReconnect: true });
    expect(tokenCalls).toHaveLength(1);
  });

  it('names the endpoint and the remedy when the origin is rejected', async () => {
    const rejection = await resultFor(403, { code: 'ORIGIN_NOT_ALLOWED' });
    expect(rejection).toBeInstanceOf(InlayError);
    expect(rejection).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED', retryable: false, status: 403 });
    expect(String(rejection)).toContain(url);
    expect(String(rejection)).toMatch(/allow the origin of this page/);
  });

  it('throws a retryable error for a 502, and for a response without a token', async () => {
    expect(await resultFor(502, { code: 'TOKEN_UNAVAILABLE' })).toMatchObject({
      code: 'TOKEN_UNAVAILABLE',
      retryable: true,
    });
    expect(await resultFor(200, '<html>')).toMatchObject({
      code: 'INVALID_TOKEN_FROM_HOST',
      retryable: true,
    });
  });

  it('throws an error with the status, and the URL without its query, when the response is a web page', async () => {
    const errorForHtml = (status: number) =>
      fetchToken(`${url}?key=private`, {
        fetch: async () =>
          new Response('<h1>Vesper</h1>', { status, headers: { 'content-type': 'text/html' } }),
      })().catch(String);

    expect(await errorForHtml(404)).toMatch(
      /token endpoint https:\/\/host\.test\/token responded with 404 and a web page/,
    );
    expect(await errorForHtml(200)).toMatch(/responded with 200 and a web page/);
    expect(await errorForHtml(404)).not.toContain('private');
  });
});
