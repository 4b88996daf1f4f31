/** Rules 1, 8.4 and 9: general rules, limits and versions. */
import { expect, it } from 'vitest';
import { apiKey, expectProblem, origin, startReferenceServer } from './setup/server.ts';

const tokensPath = '/agent/v1/embed_tokens';

it('1, 9.1 every service has its own prefix, which is followed by its version', async () => {
  const { backend } = await startReferenceServer();
  const found = {
    '/agent/v1/embed_tokens': 200,
    '/model/v1/models': 200,
    '/sandbox/v1/x': 501,
    '/search/v1/x': 501,
    '/meta/v1/health': 200,
    '/database/v1/databases': 200,
    '/media/v1/libraries': 200,
    '/automation/v1/actions': 200,
  };

  for (const [path, status] of Object.entries(found)) {
    expect((await backend('GET', path)).status, path).toBe(status);
  }
});

it('1.1 requests and responses are JSON', async () => {
  const { send, backend } = await startReferenceServer();
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const body = JSON.stringify({ agent: 'helper', external_user_id: 'ada' });
  const authorization = `Bearer ${apiKey}`;

  const accepted = await send('POST', tokensPath, { headers: { ...headers, authorization }, body });
  const text = { 'content-type': 'text/plain', authorization };
  const refused = await send('POST', tokensPath, { headers: text, body });

  expect(accepted.status).toBe(200);
  expect(refused.status).toBe(415);
  expect((await backend('GET', tokensPath)).headers.get('content-type')).toMatch(
    /^application\/json/,
  );
});

it('1.1 a method that a path does not support gets 405 with the supported methods', async () => {
  const { backend } = await startReferenceServer();

  const reply = await backend('DELETE', tokensPath);

  expect(reply.status).toBe(405);
  expect(reply.headers.get('allow')).toMatch(/POST, GET/);
});

it('1.4 an embed token gives access only to conversations with its agent', async () => {
  const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
  const embed = { allowed_origins: [origin] };
  const agents = ['first', 'second'].map((short_id) => ({
    short_id,
    name: short_id,
    model,
    embed,
  }));
  const { issue, asUser } = await startReferenceServer({ config: { agents } });
  const first = asUser((await issue({ agent: 'first' })).token);
  const second = asUser((await issue({ agent: 'second' })).token);

  const { body } = await first('POST', '/agent/v1/sessions', {});

  expect((await first('GET', `/agent/v1/sessions/${body.id}`)).status).toBe(200);
  const foreign = await second('GET', `/agent/v1/sessions/${body.id}`);
  expectProblem(foreign, 404, 'NOT_FOUND');
});

it('1.6 databases and libraries have a paginated log of their lifecycle', async () => {
  const { backend } = await startReferenceServer();

  for (const path of ['/database/v1/databases', '/media/v1/libraries']) {
    const { body } = await backend('POST', path, { name: 'Orders' });
    const page = await backend('GET', `${path}/${body.id}/events?limit=1`);
    expect(page.body).toMatchObject({ data: [{ seq: 1 }], next_cursor: '1' });
  }
});

it('1, 4.12 GET /meta/v1/health needs no key, and reports the state of the platform', async () => {
  const { request } = await startReferenceServer();

  const { status, body } = await request('GET', '/meta/v1/health');

  expect([status, body.status]).toEqual([200, 'ok']);
});

it('1 GET /meta/v1/openapi.json describes the routes of every service', async () => {
  const { request } = await startReferenceServer();

  const { body } = await request('GET', '/meta/v1/openapi.json');

  expect(Object.keys(body.paths)).toEqual(
    expect.arrayContaining([
      '/agent/v1/embed_tokens',
      '/model/v1/chat/completions',
      '/database/v1/databases/{id}/events',
      '/media/v1/libraries/{id}/events',
      '/meta/v1/health',
    ]),
  );
});

it('7.3 every response has a unique `X-Request-Id`', async () => {
  const { backend } = await startReferenceServer();

  const replies = [
    await backend('GET', tokensPath),
    await backend('GET', tokensPath),
    await backend('GET', '/agent/v1/nothing'),
    await backend('GET', '/database/v1/databases'),
  ];

  const ids = replies.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(4);
  expect(ids).not.toContain(null);
});

it('8.4 an uploaded file of a conversation can have at most 104857600 bytes', async () => {
  const maximum = 104_857_600;
  const { issue, url } = await startReferenceServer({
    config: { limits: { request: { file_bytes: maximum } } },
  });
  const { token } = await issue();
  const upload = async (bytes: number) => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(bytes).fill(65)], 'a.txt', { type: 'text/plain' }));
    const headers = { authorization: `Bearer ${token}`, origin };
    const init = { method: 'POST', headers, body: form };
    return (await fetch(`${url}/agent/v1/files`, init)).status;
  };

  expect(await upload(maximum + 1)).toBe(413);
  expect(await upload(maximum)).toBe(200);
});

it('9.1, 9.4, 9.6 other versions of a prefix get 404', async () => {
  const { backend } = await startReferenceServer();
  const paths = [
    '/agent/v2/embed_tokens',
    '/agent/embed_tokens',
    '/model/v2/models',
    '/meta/v2/health',
    '/database/v2/databases',
    '/media/v2/libraries',
    '/automation/v2/actions',
  ];

  for (const path of paths) expectProblem(await backend('GET', path), 404, 'NOT_FOUND');
});

it('9.4 the API description marks beta endpoints, but no endpoint that has a rule', async () => {
  const { request } = await startReferenceServer();

  const { paths } = (await request('GET', '/meta/v1/openapi.json')).body;

  const isBeta = (path: string, method: string) => paths[path][method]['x-beta'] === true;
  expect(isBeta('/database/v1/databases', 'post')).toBe(true);
  expect(isBeta('/database/v1/databases/{id}/events', 'get')).toBe(false);
  expect(isBeta('/agent/v1/embed_tokens', 'post')).toBe(false);
});

const deprecation = {
  since: '2026-01-01',
  sunset: '2026-04-01T12:00:00Z',
  link: 'https://chat.example.com/changelog',
};

it('9.5 a deprecated endpoint has the headers Deprecation, Sunset and Link', async () => {
  const deprecations = { [`GET ${tokensPath}`]: deprecation };
  const { backend } = await startReferenceServer({ config: { deprecations } });

  const { status, fields } = await backend('GET', tokensPath);

  expect(status).toBe(200);
  // `Deprecation` is in seconds (RFC 9745), `Sunset` is an HTTP date (RFC 8594).
  expect(fields).toMatchObject({
    deprecation: `@${Date.UTC(2026, 0, 1) / 1000}`,
    sunset: 'Wed, 01 Apr 2026 12:00:00 GMT',
    link: expect.stringContaining(`<${deprecation.link}>; rel="deprecation"`),
  });
});

it('9.5 the 401 and 429 responses of a deprecated endpoint also have the headers Deprecation and Sunset', async () => {
  const deprecations = { [`GET ${tokensPath}`]: deprecation };
  const limits = { api_key: { requests_per_second: 1, concurrent: 1 } };
  const { backend, request } = await startReferenceServer({ config: { deprecations, limits } });

  const refused = [
    await request('GET', tokensPath),
    await backend('GET', tokensPath),
    await backend('GET', tokensPath),
  ];

  expect(refused.map(({ status }) => status)).toEqual([401, 200, 429]);
  for (const { fields } of refused) {
    expect(fields).toMatchObject({
      deprecation: `@${Date.UTC(2026, 0, 1) / 1000}`,
      sunset: 'Wed, 01 Apr 2026 12:00:00 GMT',
    });
  }
});

it('9.5 a deprecated endpoint returns 404 after its shutdown', async () => {
  const deprecations = { [`GET ${tokensPath}`]: deprecation };
  const { backend, clock } = await startReferenceServer({ config: { deprecations } });

  clock.advance(Date.UTC(2026, 3, 1, 12) - clock.now());

  expectProblem(await backend('GET', tokensPath), 404, 'NOT_FOUND');
});

it('9.5 a shutdown less than 90 days after its announcement is rejected at the start of the server', async () => {
  const deprecations = {
    [`GET ${tokensPath}`]: { ...deprecation, sunset: '2026-03-31T00:00:00Z' },
  };

  await expect(startReferenceServer({ config: { deprecations } })).rejects.toThrow(/90 days/);
});
