import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testApiKey, testBaseUrl, testOrigin } from '../testing/setup-server.ts';

const configPath = '/agent/v1/embed/config';

async function getTokenByExchange(
  setup: Awaited<ReturnType<typeof setupServer>>,
  fields: object = {},
) {
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
  ])('A06: is rejected if it is %s', async (origin) => {
    const { requestAsUser, issue } = await setupServer();
    const { token } = await issue();

    const response = await requestAsUser(token, 'GET', configPath, undefined, { origin });

    expect(response.status).toBe(403);
    expect((await problemOf(response)).code).toBe('EMBED_ORIGIN_NOT_ALLOWED');
  });

  it.each(['capacitor://localhost', 'https://localhost'])(
    'is accepted in an app whose WebView has the allowed origin %s',
    async (origin) => {
      const { requestAsUser, issue } = await setupServer({
        agent: { embed: { allowed_origins: [origin] } },
      });
      const { token } = await issue();

      const response = await requestAsUser(token, 'GET', configPath, undefined, { origin });

      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    },
  );

  it('may be absent for a token with allowed origins', async () => {
    // Browsers send `Origin` with every CORS request: only other clients can omit it.
    const { app, issue } = await setupServer();
    const { token } = await issue();

    const response = await app.request(configPath, {
      headers: { authorization: `Bearer ${token}` },
    });

    expect(response.status).toBe(200);
  });

  it('A06: must not be absent if the token’s `allowed_origins` is empty', async () => {
    const { app, issue } = await setupServer();
    const { token } = await issue('ada', { allowed_origins: [] });

    const response = await app.request(configPath, {
      headers: { authorization: `Bearer ${token}` },
    });

    expect(response.status).toBe(403);
  });

  it('A06: is rejected if the policy allows it, but the token’s `allowed_origins` is empty', async () => {
    const { requestAsUser, issue } = await setupServer();
    const { token } = await issue('ada', { allowed_origins: [] });

    expect((await requestAsUser(token, 'GET', configPath)).status).toBe(403);
  });

  it('must be in the token’s `allowed_origins`, even if the policy allows more', async () => {
    const { requestAsUser, issue } = await setupServer({
      agent: { embed: { allowed_origins: ['https://*.example.com'] } },
    });
    const { token } = await issue('ada', { allowed_origins: ['https://a.example.com'] });

    const fromAllowedOrigin = await requestAsUser(token, 'GET', configPath, undefined, {
      origin: 'https://a.example.com',
    });
    const fromOtherOrigin = await requestAsUser(token, 'GET', configPath, undefined, {
      origin: 'https://b.example.com',
    });

    expect([fromAllowedOrigin.status, fromOtherOrigin.status]).toEqual([200, 403]);
  });

  it('may be absent, or the origin of the platform, if the token is the result of a code exchange', async () => {
    const setup = await setupServer();
    const token = await getTokenByExchange(setup, { allowed_origins: [] });
    const authorization = `Bearer ${token}`;

    const sameOriginGet = await setup.app.request(configPath, {
      headers: { authorization, 'sec-fetch-site': 'same-origin' },
    });
    // Browsers send no `Sec-Fetch-Site` over plain HTTP.
    const withoutFetchMetadata = await setup.app.request(configPath, {
      headers: { authorization },
    });
    const withOrigin = await setup.requestAsUser(token, 'GET', configPath, undefined, {
      origin: testBaseUrl,
    });

    const fromOtherPage = await setup.requestAsUser(token, 'GET', configPath);

    expect([sameOriginGet, withoutFetchMetadata, withOrigin].map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
    expect(fromOtherPage.status).toBe(403);
  });

  it('is rejected if it is the origin of the platform and the token was issued without a code exchange', async () => {
    const { requestAsUser, issue } = await setupServer();
    const { token } = await issue();

    const response = await requestAsUser(token, 'GET', configPath, undefined, {
      origin: testBaseUrl,
    });

    expect(response.status).toBe(403);
  });

  it('gets the same rejection with a valid token, an unknown token and no token if no policy lists it', async () => {
    const { requestAsUser, issue, requestAsPage } = await setupServer();
    const { token } = await issue();
    const unknownOrigin = { origin: 'https://evil.example' };
    const bodyOf = async (response: Response) => {
      const { instance, ...fields } = await problemOf(response);
      return { ...fields, allowedOrigin: response.headers.get('access-control-allow-origin') };
    };

    const withValidToken = await bodyOf(
      await requestAsUser(token, 'GET', configPath, undefined, unknownOrigin),
    );
    const withUnknownToken = await bodyOf(
      await requestAsUser('et_unknown', 'GET', configPath, undefined, unknownOrigin),
    );
    const withoutToken = await bodyOf(
      await requestAsPage('GET', configPath, undefined, unknownOrigin),
    );

    expect(withValidToken).toMatchObject({
      code: 'EMBED_ORIGIN_NOT_ALLOWED',
      allowedOrigin: 'https://evil.example',
    });
    expect(withUnknownToken).toEqual(withValidToken);
    expect(withoutToken).toEqual(withValidToken);
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

  it('accepts a preflight from an unknown origin, so that the page can read the error', async () => {
    const { app, requestAsPage } = await setupServer();
    const origin = 'https://evil.example';

    const path = '/agent/v1/embed_tokens/anonymous';
    const preflightResponse = await app.request(path, preflight(origin));
    const response = await requestAsPage('POST', path, { publishable_key: 'pk_test' }, { origin });

    expect(preflightResponse.status).toBe(204);
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect((await problemOf(response)).code).toBe('EMBED_ORIGIN_NOT_ALLOWED');
  });

  it.each(['https://evil.example', testOrigin])(
    'does not let a page read the response to a request with an API key: %s',
    async (origin) => {
      const { requestAsPage } = await setupServer();

      const response = await requestAsPage('GET', '/agent/v1/agents', undefined, {
        origin,
        authorization: `Bearer ${testApiKey}`,
      });

      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('lets an allowed origin read errors and their headers', async () => {
    const { requestAsUser } = await setupServer();

    const response = await requestAsUser('et_unknown', 'GET', configPath);

    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe(testOrigin);
    expect(response.headers.get('vary')).toBe('Origin');
    expect(response.headers.get('access-control-expose-headers')).toMatch(
      /X-Request-Id.*Date.*Retry-After.*RateLimit-Limit/,
    );
  });

  it('lets every origin read the health route', async () => {
    const { requestAsPage } = await setupServer();

    const response = await requestAsPage('GET', '/meta/v1/health', undefined, {
      origin: 'https://evil.example',
    });

    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});
