import { describe, expect, it } from 'vitest';
import type { PlatformClient } from './platform-client.ts';
import { createPlatformClient } from './platform-client.ts';
import { createTokenEndpoint, type Identity } from './token-endpoint.ts';

const url = 'https://shop.example/api/chat-token';

function setup(
  overrides: {
    identity?: Identity | null;
    answer?: () => Response;
    allowedOrigins?: string[];
  } = {},
) {
  const asked: string[] = [];
  const errors: unknown[] = [];
  const platform: PlatformClient = createPlatformClient({
    baseUrl: 'https://chat.example',
    apiKey: 'sk-service-test',
    retries: 0,
    fetch: async (_url, init) => {
      asked.push(String(init?.body));
      return (
        overrides.answer?.() ??
        Response.json({ id: 'emb_1', token: 'et_secret', expires_at: '2026-01-01T00:00:00.000Z' })
      );
    },
  });
  const endpoint = createTokenEndpoint({
    platform,
    agent: 'demo',
    identify: () =>
      overrides.identity === undefined ? { external_user_id: 'ada' } : overrides.identity,
    onError: (error) => errors.push(error),
    ...(overrides.allowedOrigins ? { allowedOrigins: overrides.allowedOrigins } : {}),
  });
  return { endpoint, asked, errors };
}

const post = (headers: Record<string, string> = {}) =>
  new Request(url, { method: 'POST', headers });

describe('createTokenEndpoint', () => {
  it('answers with a token for the person who is signed in, and nothing else of the record', async () => {
    const { endpoint, asked } = setup();

    const response = await endpoint(post({ 'sec-fetch-site': 'same-origin' }));

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      token: 'et_secret',
      expires_at: '2026-01-01T00:00:00.000Z',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(asked).toEqual(['{"external_user_id":"ada","agent":"demo"}']);
  });

  it('says that nobody is signed in, without asking the platform', async () => {
    const { endpoint, asked } = setup({ identity: null });

    const response = await endpoint(post());

    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ code: 'SIGNED_OUT' });
    expect(asked).toEqual([]);
  });

  it('refuses the page of another site before it looks who is signed in', async () => {
    const { endpoint, asked } = setup();

    const response = await endpoint(
      post({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
    );

    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(asked).toEqual([]);
  });

  it('refuses a foreign origin of a browser that sends no Sec-Fetch-Site', async () => {
    const { endpoint } = setup();

    const response = await endpoint(post({ origin: 'https://evil.example' }));

    expect(response.status).toBe(403);
  });

  it('lets a listed origin read the answer, with credentials', async () => {
    const { endpoint } = setup({ allowedOrigins: ['https://app.shop.example'] });

    const response = await endpoint(
      post({ 'sec-fetch-site': 'same-site', origin: 'https://app.shop.example' }),
    );

    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.shop.example');
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
  });

  it('tells the page that the person is blocked', async () => {
    const { endpoint, errors } = setup({
      answer: () =>
        Response.json(
          {
            type: 't',
            title: 't',
            status: 403,
            detail: 'd',
            instance: 'i',
            code: 'EMBED_USER_BLOCKED',
            retryable: false,
          },
          { status: 403 },
        ),
    });

    const response = await endpoint(post());

    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ code: 'EMBED_USER_BLOCKED' });
    expect(errors).toEqual([]);
  });

  it('keeps the platform’s reasons to the host', async () => {
    const { endpoint, errors } = setup({ answer: () => new Response('boom', { status: 500 }) });

    const response = await endpoint(post());

    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ code: 'TOKEN_UNAVAILABLE' });
    expect(errors).toHaveLength(1);
  });

  it('answers only POST', async () => {
    const { endpoint } = setup();

    const response = await endpoint(new Request(url));

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});
