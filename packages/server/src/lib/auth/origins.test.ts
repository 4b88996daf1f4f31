import { Problem } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { setupServer, testApiKey, testBaseUrl, testOrigin } from '../testing/setup-server.ts';

const config = '/agent/v1/embed/config';

async function exchanged(setup: Awaited<ReturnType<typeof setupServer>>, fields: object = {}) {
  const { hosted_url } = await setup.issue('ada', { hosted: true, ...fields });
  const response = await setup.app.request('/agent/v1/embed/exchange', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: hosted_url?.split('#c=')[1] }),
  });
  const { token } = (await response.json()) as { token: string };
  return token;
}

describe('the origin of a request with an embed token', () => {
  it.each([
    ['null'],
    ['http://app.example.com'],
    ['https://app.example.com:8443'],
    ['https://app.example.com.evil.com'],
    ['https://APP.example.com'],
    ['https://app.example.com.'],
    ['https://evil.example'],
  ])('A06: %s is refused', async (origin) => {
    const { endUser, issue } = await setupServer();
    const { token } = await issue();

    const response = await endUser(token, 'GET', config, undefined, { origin });

    expect(response.status).toBe(403);
    expect(Problem.parse(await response.json()).code).toBe('EMBED_ORIGIN_NOT_ALLOWED');
  });

  it('takes a request without an Origin, which no page of another origin can send', async () => {
    const { app, issue } = await setupServer();
    const { token } = await issue();

    const response = await app.request(config, { headers: { authorization: `Bearer ${token}` } });

    expect(response.status).toBe(200);
  });

  it('A06: a token with an empty list is refused without an Origin, too', async () => {
    const { app, issue } = await setupServer();
    const { token } = await issue('ada', { allowed_origins: [] });

    const response = await app.request(config, { headers: { authorization: `Bearer ${token}` } });

    expect(response.status).toBe(403);
  });

  it('A06: a token with an empty list is refused everywhere', async () => {
    const { endUser, issue } = await setupServer();
    const { token } = await issue('ada', { allowed_origins: [] });

    expect((await endUser(token, 'GET', config)).status).toBe(403);
  });

  it('keeps a token to the origins that it was narrowed to', async () => {
    const { endUser, issue } = await setupServer({
      agent: { embed: { allowed_origins: ['https://*.example.com'] } },
    });
    const { token } = await issue('ada', { allowed_origins: ['https://a.example.com'] });

    const here = await endUser(token, 'GET', config, undefined, {
      origin: 'https://a.example.com',
    });
    const there = await endUser(token, 'GET', config, undefined, {
      origin: 'https://b.example.com',
    });

    expect([here.status, there.status]).toEqual([200, 403]);
  });

  it('lets the hosted page use what an exchange made, also in requests without an Origin', async () => {
    const setup = await setupServer();
    const token = await exchanged(setup, { allowed_origins: [] });
    const authorization = `Bearer ${token}`;

    const sameOriginGet = await setup.app.request(config, {
      headers: { authorization, 'sec-fetch-site': 'same-origin' },
    });
    const overPlainHttp = await setup.app.request(config, { headers: { authorization } });
    const withOrigin = await setup.endUser(token, 'GET', config, undefined, {
      origin: testBaseUrl,
    });

    const elsewhere = await setup.endUser(token, 'GET', config);

    expect([sameOriginGet, overPlainHttp, withOrigin].map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
    expect(elsewhere.status).toBe(403);
  });

  it('does not let the platform’s own pages use a token that was issued for another origin', async () => {
    const { endUser, issue } = await setupServer();
    const { token } = await issue();

    const response = await endUser(token, 'GET', config, undefined, { origin: testBaseUrl });

    expect(response.status).toBe(403);
  });

  it('tells a page of an unknown origin nothing about a token', async () => {
    const { endUser, issue, page } = await setupServer();
    const { token } = await issue();
    const evil = { origin: 'https://evil.example' };
    const bodyOf = async (response: Response) => {
      const { instance, ...rest } = Problem.parse(await response.json());
      return { ...rest, acao: response.headers.get('access-control-allow-origin') };
    };

    const good = await bodyOf(await endUser(token, 'GET', config, undefined, evil));
    const bad = await bodyOf(await endUser('et_unknown', 'GET', config, undefined, evil));
    const none = await bodyOf(await page('GET', config, undefined, evil));

    expect(good).toMatchObject({ code: 'EMBED_ORIGIN_NOT_ALLOWED', acao: 'https://evil.example' });
    expect(bad).toEqual(good);
    expect(none).toEqual(good);
  });
});

describe('CORS', () => {
  const preflight = (origin: string, headers = 'authorization, content-type') => ({
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': headers,
    },
  });

  it('answers a preflight of an origin that some policy names', async () => {
    const { app } = await setupServer();

    const response = await app.request(
      '/agent/v1/sessions',
      preflight(testOrigin, 'authorization,idempotency-key'),
    );

    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': testOrigin,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'authorization,idempotency-key',
      'access-control-max-age': '86400',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('answers one of an unknown origin alike, so that the page can read why it is refused', async () => {
    const { app, page } = await setupServer();
    const origin = 'https://evil.example';

    const before = await app.request('/agent/v1/embed_tokens/anonymous', preflight(origin));
    const body = { publishable_key: 'pk_test' };
    const real = await page('POST', '/agent/v1/embed_tokens/anonymous', body, { origin });

    expect(before.status).toBe(204);
    expect(real.status).toBe(403);
    expect(real.headers.get('access-control-allow-origin')).toBe(origin);
    expect(Problem.parse(await real.json()).code).toBe('EMBED_ORIGIN_NOT_ALLOWED');
  });

  it('lets no page of an unknown origin read what an API key opens', async () => {
    const { page } = await setupServer();

    const response = await page('GET', '/agent/v1/agents', undefined, {
      origin: 'https://evil.example',
      authorization: `Bearer ${testApiKey}`,
    });

    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('lets the page read errors, and the headers that it needs for them', async () => {
    const { endUser } = await setupServer();

    const response = await endUser('et_unknown', 'GET', config);

    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe(testOrigin);
    expect(response.headers.get('vary')).toBe('Origin');
    expect(response.headers.get('access-control-expose-headers')).toMatch(
      /X-Request-Id.*Date.*Retry-After.*RateLimit-Limit/,
    );
  });

  it('lets every page read health', async () => {
    const { page } = await setupServer();

    const response = await page('GET', '/meta/v1/health', undefined, {
      origin: 'https://evil.example',
    });

    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});
