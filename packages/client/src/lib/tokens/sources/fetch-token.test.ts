import { describe, expect, it } from 'vitest';
import { InlayError } from '../../errors.ts';
import { setupTokens } from '../../testing/token-setup.ts';
import { fetchToken } from './fetch-token.ts';

const url = 'https://host.test/token';

/** What `getToken` gives, or throws, for one answer of the endpoint. */
async function askFor(status: number, body: unknown): Promise<unknown> {
  const fetch = async () => Response.json(body, { status });
  return fetchToken(url, { fetch })().catch((error: unknown) => error);
}

describe('fetchToken', () => {
  it('returns the token and its expiry', async () => {
    const grant = { token: 'et_1', expires_at: '2026-01-01T00:05:00Z' };
    expect(await askFor(200, grant)).toEqual(grant);
  });

  it('returns null when no user is signed in', async () => {
    expect(await askFor(401, { code: 'SIGNED_OUT' })).toBeNull();
  });

  it('reports a blocked user', async () => {
    const refusal = await askFor(403, { code: 'EMBED_USER_BLOCKED' });
    expect(refusal).toMatchObject({ code: 'EMBED_USER_BLOCKED', retryable: false });

    const { manager, clock, asked } = setupTokens({ getToken: () => Promise.reject(refusal) });
    manager.get().catch(() => {});
    await clock.advance(60_000);
    expect(manager.state.status).toBe('blocked');
    expect(asked).toHaveLength(1);
  });

  it('names the endpoint and the remedy when the origin is refused', async () => {
    const refusal = await askFor(403, { code: 'ORIGIN_NOT_ALLOWED' });
    expect(refusal).toBeInstanceOf(InlayError);
    expect(refusal).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED', retryable: false, status: 403 });
    expect(String(refusal)).toContain(url);
    expect(String(refusal)).toMatch(/allow the origin of this page/);
  });

  it('throws a retryable error for a temporary failure', async () => {
    expect(await askFor(502, { code: 'TOKEN_UNAVAILABLE' })).toMatchObject({
      code: 'TOKEN_UNAVAILABLE',
      retryable: true,
    });
    expect(await askFor(200, '<html>')).toMatchObject({
      code: 'INVALID_TOKEN_FROM_HOST',
      retryable: true,
    });
  });

  it('names the address without its query, the status, and a web page as such', async () => {
    const page = (status: number) =>
      fetchToken(`${url}?key=private`, {
        fetch: async () =>
          new Response('<h1>Vesper</h1>', { status, headers: { 'content-type': 'text/html' } }),
      })().catch(String);

    expect(await page(404)).toMatch(
      /token endpoint https:\/\/host\.test\/token responded with 404 and a web page/,
    );
    expect(await page(200)).toMatch(/responded with 200 and a web page/);
    expect(await page(404)).not.toContain('private');
  });
});
