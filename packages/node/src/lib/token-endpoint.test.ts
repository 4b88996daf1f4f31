import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PlatformClient } from './platform-client.ts';
import { createPlatformClient } from './platform-client.ts';
import { createTokenEndpoint, type Identity } from './token-endpoint.ts';

const url = 'https://shop.example/api/chat-token';

function setup(
  overrides: {
    identity?: Identity | null;
    identify?: (request: Request) => Identity | null;
    respond?: () => Response | Promise<Response>;
    allowedOrigins?: string[];
  } = {},
) {
  const issuances: string[] = [];
  const errors: unknown[] = [];
  const platform: PlatformClient = createPlatformClient({
    baseUrl: 'https://chat.example',
    apiKey: 'sk-service-test',
    maxRetries: 0,
    fetch: async (_url, init) => {
      issuances.push(String(init?.body));
      return (
        (await overrides.respond?.()) ??
        Response.json({ id: 'emb_1', token: 'et_secret', expires_at: '2026-01-01T00:00:00.000Z' })
      );
    },
  });
  const endpoint = createTokenEndpoint({
    platform,
    agent: 'demo',
    identify: (request) =>
      overrides.identify?.(request) ??
      (overrides.identity === undefined ? { external_user_id: 'ada' } : overrides.identity),
    onError: (error) => errors.push(error),
    ...(overrides.allowedOrigins ? { allowedOrigins: overrides.allowedOrigins } : {}),
  });
  return { endpoint, issuances, errors };
}

const post = (headers: Record<string, string> = {}) =>
  new Request(url, { method: 'POST', headers });

/** Creates a request of a user, whom `identifyByHeader` identifies. */
const postAs = (user: string) => post({ 'x-user': user });
const identifyByHeader = (request: Request) => ({
  external_user_id: request.headers.get('x-user') ?? '',
});

const rateLimited = (retryAfterSeconds: string) =>
  Response.json(
    {
      type: 't',
      title: 't',
      status: 429,
      detail: 'd',
      instance: 'i',
      code: 'RATE_LIMITED',
      retryable: true,
    },
    { status: 429, headers: { 'retry-after': retryAfterSeconds } },
  );

afterEach(() => vi.useRealTimers());

describe('createTokenEndpoint', () => {
  it('returns only the token and its expiry for the signed-in user', async () => {
    const { endpoint, issuances } = setup();

    const response = await endpoint(post({ 'sec-fetch-site': 'same-origin' }));

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      token: 'et_secret',
      expires_at: '2026-01-01T00:00:00.000Z',
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(issuances).toEqual(['{"external_user_id":"ada","agent":"demo"}']);
  });

  it('returns 401 without calling the platform if no user is signed in', async () => {
    const { endpoint, issuances } = setup({ identity: null });

    const response = await endpoint(post());

    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ code: 'SIGNED_OUT' });
    expect(issuances).toEqual([]);
  });

  it('rejects a request from a page of another origin before it calls identify', async () => {
    const identify = vi.fn(() => null);
    const { endpoint, issuances } = setup({ identify });

    const response = await endpoint(
      post({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
    );

    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(identify).not.toHaveBeenCalled();
    expect(issuances).toEqual([]);
  });

  it('rejects a request with another Origin if the browser sends no Sec-Fetch-Site', async () => {
    const { endpoint } = setup();

    const response = await endpoint(post({ origin: 'https://evil.example' }));

    expect(response.status).toBe(403);
  });

  it('returns CORS headers with credentials to an allowed origin', async () => {
    const { endpoint } = setup({ allowedOrigins: ['https://app.shop.example'] });

    const response = await endpoint(
      post({ 'sec-fetch-site': 'same-site', origin: 'https://app.shop.example' }),
    );

    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.shop.example');
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
  });

  it('accepts the Authorization header of an app with an allowed origin', async () => {
    const { endpoint } = setup({ allowedOrigins: ['capacitor://localhost'] });

    const preflight = await endpoint(
      new Request(url, { method: 'OPTIONS', headers: { origin: 'capacitor://localhost' } }),
    );

    expect(preflight.headers.get('access-control-allow-origin')).toBe('capacitor://localhost');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  });

  it('returns 403 EMBED_USER_BLOCKED if the user is blocked', async () => {
    const { endpoint, errors } = setup({
      respond: () =>
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

  it('passes failures of the platform to onError, and returns only a code to the page', async () => {
    const { endpoint, errors } = setup({ respond: () => new Response('boom', { status: 500 }) });

    const response = await endpoint(post());

    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ code: 'TOKEN_UNAVAILABLE' });
    expect(errors).toHaveLength(1);
  });

  it('returns 405 for methods other than POST', async () => {
    const { endpoint } = setup();

    const response = await endpoint(new Request(url));

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('returns 500 if identify throws', async () => {
    const { endpoint, errors } = setup({
      identify: () => {
        throw new Error('The database is down.');
      },
    });

    const response = await endpoint(post());

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ code: 'TOKEN_UNAVAILABLE' });
    expect(errors).toHaveLength(1);
  });

  it('shares a token between concurrent requests of a user', async () => {
    const { endpoint, issuances } = setup({ identify: identifyByHeader });

    const responses = await Promise.all(
      ['ada', 'ada', 'ada', 'alan'].map((user) => endpoint(postAs(user))),
    );

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(issuances).toHaveLength(2);
  });

  it('does not share a token between requests with different parameters', async () => {
    const { endpoint, issuances } = setup({
      identify: (request) => ({
        external_user_id: 'ada',
        metadata: { page: request.headers.get('x-user') ?? '' },
      }),
    });

    await Promise.all(['a', 'b'].map((page) => endpoint(postAs(page))));

    expect(issuances).toHaveLength(2);
  });

  it('limits each user to ten tokens within twenty seconds', async () => {
    vi.useFakeTimers();
    const { endpoint, issuances, errors } = setup({ identify: identifyByHeader });
    for (let index = 0; index < 10; index += 1) {
      expect((await endpoint(postAs('ada'))).status).toBe(200);
      vi.advanceTimersByTime(1000);
    }

    const rejected = await endpoint(postAs('ada'));
    const other = await endpoint(postAs('alan'));
    vi.advanceTimersByTime(10_000);
    const later = await endpoint(postAs('ada'));

    expect(rejected.status).toBe(429);
    expect(await rejected.json()).toEqual({ code: 'RATE_LIMITED' });
    expect(rejected.headers.get('retry-after')).toBe('10');
    expect([other.status, later.status]).toEqual([200, 200]);
    expect(issuances).toHaveLength(12);
    expect(errors).toEqual([]);
  });

  it('queues token requests after a 429 of the platform, and waits for its Retry-After', async () => {
    vi.useFakeTimers();
    const responses = [rateLimited('3')];
    const { endpoint, issuances, errors } = setup({
      identify: identifyByHeader,
      respond: () => responses.shift() ?? Response.json({ id: 'e', token: 't', expires_at: '' }),
    });

    const requests = [endpoint(postAs('ada'))];
    await vi.advanceTimersByTimeAsync(0);
    requests.push(endpoint(postAs('alan')));
    await vi.advanceTimersByTimeAsync(2999);
    expect(issuances).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200]);
    expect(issuances).toHaveLength(3);
    expect(errors).toEqual([]);
  });

  it('returns tokens to forty simultaneous users within its default timeout, under the default limits of the platform', async () => {
    vi.useFakeTimers();
    const admitted: number[] = [];
    let concurrent = 0;
    const { endpoint, errors } = setup({
      identify: identifyByHeader,
      // Admits five requests per second and four concurrent requests. Responds after 100 ms.
      respond: async () => {
        const now = Date.now();
        const isAdmitted =
          concurrent < 4 && admitted.filter((time) => time > now - 1000).length < 5;
        if (isAdmitted) admitted.push(now);
        concurrent += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
        concurrent -= 1;
        return isAdmitted
          ? Response.json({ id: 'e', token: 't', expires_at: '' })
          : rateLimited('1');
      },
    });

    const requests = Array.from({ length: 40 }, (_, index) => endpoint(postAs(`user-${index}`)));
    await vi.advanceTimersByTimeAsync(9_000);

    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(admitted).toHaveLength(40);
    expect(errors).toEqual([]);
  });

  it('returns 503 with Retry-After within nine seconds if the platform stays busy', async () => {
    vi.useFakeTimers();
    const { endpoint, errors } = setup({
      identify: identifyByHeader,
      respond: () => rateLimited('1'),
    });
    const requests = Array.from({ length: 5 }, (_, index) => endpoint(postAs(`user-${index}`)));

    await vi.advanceTimersByTimeAsync(9_000);
    const responses = await Promise.all(requests);

    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    expect(await responses[0]?.json()).toEqual({ code: 'TOKEN_UNAVAILABLE' });
    expect(responses.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true);
    expect(errors).toHaveLength(5);
  });

  it('asks the platform again after a minute, even if its Retry-After was longer', async () => {
    vi.useFakeTimers();
    const maintenance = { status: 503, headers: { 'retry-after': '3600' } };
    const responses = [new Response('<html>', maintenance)];
    const { endpoint } = setup({
      identify: identifyByHeader,
      respond: () => responses.shift() ?? Response.json({ id: 'e', token: 't', expires_at: '' }),
    });

    const first = await endpoint(postAs('ada'));
    await vi.advanceTimersByTimeAsync(60_000);
    const second = endpoint(postAs('alan'));
    await vi.advanceTimersByTimeAsync(9_000);

    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '3600']);
    expect((await second).status).toBe(200);
  });

  it('rejects further users immediately while a thousand requests are queued', async () => {
    vi.useFakeTimers();
    const { endpoint, errors } = setup({
      identify: identifyByHeader,
      respond: () => new Promise<Response>(() => {}),
    });
    const requests = Array.from({ length: 1004 }, (_, index) => endpoint(postAs(`user-${index}`)));

    const rejected = await requests[1003];

    expect(rejected?.status).toBe(503);
    expect(rejected?.headers.get('retry-after')).toBe('1');
    expect(errors).toMatchObject([{ code: 'QUEUE_FULL' }]);
  });

  it.each([Number.POSITIVE_INFINITY, 0, 2 ** 31, Number.NaN])(
    'cannot be created with the timeout %d, because every issuance would fail',
    (timeoutMs) => {
      const platform = createPlatformClient({ baseUrl: 'https://chat.example', apiKey: undefined });
      const create = () =>
        createTokenEndpoint({ platform, agent: 'demo', identify: () => null, timeoutMs });

      expect(create).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
      expect(create).toThrow('`timeoutMs`');
    },
  );
});
