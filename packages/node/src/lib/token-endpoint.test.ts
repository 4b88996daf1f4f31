import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PlatformClient } from './platform-client.ts';
import { createPlatformClient } from './platform-client.ts';
import { createTokenEndpoint, type Identity } from './token-endpoint.ts';

const url = 'https://shop.example/api/chat-token';

function setup(
  overrides: {
    identity?: Identity | null;
    identify?: (request: Request) => Identity | null;
    answer?: () => Response | Promise<Response>;
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
        (await overrides.answer?.()) ??
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
  return { endpoint, asked, errors };
}

const post = (headers: Record<string, string> = {}) =>
  new Request(url, { method: 'POST', headers });

/** Somebody's request, by a header that `byHeader` reads. */
const postAs = (user: string) => post({ 'x-user': user });
const byHeader = (request: Request) => ({ external_user_id: request.headers.get('x-user') ?? '' });

const busy = (retryAfterSeconds: string) =>
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

  it('is a 500 where the host itself fails to say who is signed in', async () => {
    const { endpoint, errors } = setup({
      identify: () => {
        throw new Error('no database');
      },
    });

    const response = await endpoint(post());

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ code: 'TOKEN_UNAVAILABLE' });
    expect(errors).toHaveLength(1);
  });

  it('shares one token among requests of one person that arrive together', async () => {
    const { endpoint, asked } = setup({ identify: byHeader });

    const answers = await Promise.all(
      ['ada', 'ada', 'ada', 'alan'].map((user) => endpoint(postAs(user))),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(asked).toHaveLength(2);
  });

  it('shares no token between requests of one person on different terms', async () => {
    const { endpoint, asked } = setup({
      identify: (request) => ({
        external_user_id: 'ada',
        metadata: { page: request.headers.get('x-user') ?? '' },
      }),
    });

    await Promise.all(['a', 'b'].map((page) => endpoint(postAs(page))));

    expect(asked).toHaveLength(2);
  });

  it('gives one person ten tokens within twenty seconds, and others theirs', async () => {
    vi.useFakeTimers();
    const { endpoint, asked, errors } = setup({ identify: byHeader });
    for (let index = 0; index < 10; index += 1) {
      expect((await endpoint(postAs('ada'))).status).toBe(200);
      vi.advanceTimersByTime(1000);
    }

    const refused = await endpoint(postAs('ada'));
    const other = await endpoint(postAs('alan'));
    vi.advanceTimersByTime(10_000);
    const later = await endpoint(postAs('ada'));

    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ code: 'RATE_LIMITED' });
    expect(refused.headers.get('retry-after')).toBe('10');
    expect([other.status, later.status]).toEqual([200, 200]);
    expect(asked).toHaveLength(12);
    expect(errors).toEqual([]);
  });

  it('waits in a queue while the platform is busy, and pauses all of it for as long as it asks', async () => {
    vi.useFakeTimers();
    const answers = [busy('3')];
    const { endpoint, asked, errors } = setup({
      identify: byHeader,
      answer: () => answers.shift() ?? Response.json({ id: 'e', token: 't', expires_at: '' }),
    });

    const people = [endpoint(postAs('ada'))];
    await vi.advanceTimersByTimeAsync(0);
    people.push(endpoint(postAs('alan')));
    await vi.advanceTimersByTimeAsync(2999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect((await Promise.all(people)).map(({ status }) => status)).toEqual([200, 200]);
    expect(asked).toHaveLength(3);
    expect(errors).toEqual([]);
  });

  it('answers 503 with Retry-After before the page gives up on it', async () => {
    vi.useFakeTimers();
    const { endpoint, errors } = setup({ identify: byHeader, answer: () => busy('1') });
    const people = Array.from({ length: 5 }, (_, index) => endpoint(postAs(`person-${index}`)));

    await vi.advanceTimersByTimeAsync(9_000);
    const answers = await Promise.all(people);

    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    expect(await answers[0]?.json()).toEqual({ code: 'TOKEN_UNAVAILABLE' });
    expect(answers.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true);
    expect(errors).toHaveLength(5);
  });

  it('refuses further people at once while a thousand wait', async () => {
    vi.useFakeTimers();
    const { endpoint, errors } = setup({
      identify: byHeader,
      answer: () => new Promise<Response>(() => {}),
    });
    const people = Array.from({ length: 1004 }, (_, index) => endpoint(postAs(`person-${index}`)));

    const refused = await people[1003];

    expect(refused?.status).toBe(503);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(errors).toMatchObject([{ code: 'QUEUE_FULL' }]);
  });
});
