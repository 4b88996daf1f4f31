import { Problem } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { setupServer, testApiKey, testBaseUrl, testOrigin } from '../testing/setup-server.ts';

const config = '/agent/v1/embed/config';

async function exchangeToken(setup: Awaited<ReturnType<typeof setupServer>>, fields: object = {}) {
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
  ])('A06: is refused if it is %s', async (origin) => {
    const { endUser, issue } = await setupServer();
    const { token } = await issue();

    const response = await endUser(token, 'GET', config, undefined, { origin });

    expect(response.status).toBe(403);
    expect(Problem.parse(await response.json()).code).toBe('EMBED_ORIGIN_NOT_ALLOWED');
  });

  it('may be absent, because pages of other origins always send it', async () => {
    const { app, issue } = await setupServer();
    const { token } = await issue();

    const response = await app.request(config, { headers: { authorization: `Bearer ${token}` } });

    expect(response.status).toBe(200);
  });

  it('A06: may not be absent for a token with an empty list', async () => {
    const { app, issue } = await setupServer();
    const { token } = await issue('ada', { allowed_origins: [] });

    const response = await app.request(config, { headers: { authorization: `Bearer ${token}` } });

    expect(response.status).toBe(403);
  });

  it('A06: is always refused for a token with an empty list', async () => {
    const { endUser, issue } = await setupServer();
    const { token } = await issue('ada', { allowed_origins: [] });

    expect((await endUser(token, 'GET', config)).status).toBe(403);
  });

  it('must be among the origins that the token was restricted to', async () => {
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

  it('may be that of the platform, or absent, for a token from an exchange', async () => {
    const setup = await setupServer();
    const token = await exchangeToken(setup, { allowed_origins: [] });
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

  it('may not be that of the platform for a token of another origin', async () => {
    const { endUser, issue } = await setupServer();
    const { token } = await issue();

    const response = await endUser(token, 'GET', config, undefined, { origin: testBaseUrl });

    expect(response.status).toBe(403);
  });

  it('is refused with the same response for valid, invalid and missing tokens if it is unknown', async () => {
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

  it('accepts a preflight from an origin that a policy lists', async () => {
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

  it('accepts a preflight from an unknown origin, so that the page can read the refusal', async () => {
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

  it('does not let pages of unknown origins read responses to an API key', async () => {
    const { page } = await setupServer();

    const response = await page('GET', '/agent/v1/agents', undefined, {
      origin: 'https://evil.example',
      authorization: `Bearer ${testApiKey}`,
    });

    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('exposes errors and their headers', async () => {
    const { endUser } = await setupServer();

    const response = await endUser('et_unknown', 'GET', config);

    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe(testOrigin);
    expect(response.headers.get('vary')).toBe('Origin');
    expect(response.headers.get('access-control-expose-headers')).toMatch(
      /X-Request-Id.*Date.*Retry-After.*RateLimit-Limit/,
    );
  });

  it('lets every origin read the health route', async () => {
    const { page } = await setupServer();

    const response = await page('GET', '/meta/v1/health', undefined, {
      origin: 'https://evil.example',
    });

    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});
