/** Rules 5: API keys and where they are accepted. */
import { expect, it } from 'vitest';
import { startModelServer } from './setup/model-server.ts';
import { createKey, keyIn, manageKeys } from './setup/operator.ts';
import { apiKey, expectProblem, origin, startReferenceServer } from './setup/server.ts';

const tokensPath = '/agent/v1/embed_tokens';
/** Paths of requests that need a key, one for each service. */
const servicePaths = [
  tokensPath,
  '/database/v1/databases',
  '/media/v1/libraries',
  '/automation/v1/actions',
  '/sandbox/v1/anything',
  '/search/v1/anything',
];

/**
 * Starts a server whose clock is an hour ahead. The operator's commands use the clock of the machine, and a
 * revocation takes effect when the server's clock has reached the time of the revocation.
 */
const startForOperator = () => startReferenceServer({ startTime: Date.now() + 3_600_000 });

it('5.1 an API key is accepted under all prefixes', async () => {
  const { backend } = await startReferenceServer();

  const replies = await Promise.all(servicePaths.map((path) => backend('GET', path)));

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 501, 501]);
});

it('5.1 a key that the operator creates is accepted immediately', async () => {
  const { folder, as } = await startForOperator();

  const { key } = await createKey(folder);

  expect((await as(key)('GET', tokensPath)).status).toBe(200);
});

it('5.2 keys start with `sk-service-`, and are sent as `Authorization: Bearer`', async () => {
  const { folder, as, request } = await startForOperator();
  const { key } = await createKey(folder);

  expect(key).toMatch(/^sk-service-/);
  expect((await as(key)('GET', tokensPath)).status).toBe(200);
  for (const headers of [{ authorization: `Basic ${key}` }, { 'x-api-key': key }]) {
    expectProblem(await request('GET', tokensPath, { headers }), 401, 'AUTHENTICATION_ERROR');
  }
});

it('5.2, 5.4 a revoked key is refused immediately with 401', async () => {
  const { folder, as } = await startForOperator();
  const { key, id } = await createKey(folder);
  const before = await as(key)('GET', tokensPath);

  await manageKeys(folder, 'revoke', id);

  expect(before.status).toBe(200);
  expectProblem(await as(key)('GET', tokensPath), 401, 'AUTHENTICATION_ERROR');
});

it('5.2 after a rotation, the new key is accepted, and the old key gets 401', async () => {
  const { folder, as } = await startForOperator();
  const old = await createKey(folder);

  const key = keyIn(await manageKeys(folder, 'rotate', old.id, '--overlap', '0'));

  expect((await as(key)('GET', tokensPath)).status).toBe(200);
  expectProblem(await as(old.key)('GET', tokensPath), 401, 'AUTHENTICATION_ERROR');
});

it('5.4 a missing or invalid key gets a problem with the status 401, which is not retryable', async () => {
  const { request, as } = await startReferenceServer();

  for (const path of servicePaths) {
    for (const reply of [await request('GET', path), await as(`${apiKey}x`)('GET', path)]) {
      expectProblem(reply, 401, 'AUTHENTICATION_ERROR');
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
      expect(reply.body.retryable).toBe(false);
    }
  }
});

it('5.5 a page cannot read responses to requests with an API key', async () => {
  const { as } = await startReferenceServer();

  for (const path of servicePaths) {
    const { headers } = await as(apiKey, { origin: 'https://evil.example' })('GET', path);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

it('5.6 only an API key can issue embed tokens', async () => {
  const { issue, asUser, page } = await startReferenceServer();
  const { token } = await issue();
  const body = { agent: 'helper', external_user_id: 'eve' };

  expectProblem(await asUser(token)('POST', tokensPath, body), 404, 'NOT_FOUND');
  expectProblem(await page('POST', tokensPath, body), 401, 'AUTHENTICATION_ERROR');
});

it('5.6 public endpoints accept requests without a key', async () => {
  const { request } = await startReferenceServer();

  for (const path of ['/model/v1/models', '/meta/v1/health', '/meta/v1/openapi.json']) {
    expect((await request('GET', path)).status).toBe(200);
  }
});

it('5.7 anonymous access uses a publishable key, and never the API key', async () => {
  const { page, as } = await startReferenceServer();
  const anonymous = '/agent/v1/embed_tokens/anonymous';

  expect((await page('POST', anonymous, { publishable_key: 'pk_conformance' })).status).toBe(200);
  const withApiKey = await page('POST', anonymous, { publishable_key: apiKey });
  expectProblem(withApiKey, 401, 'AUTHENTICATION_ERROR');
  expectProblem(await as('pk_conformance')('GET', tokensPath), 401, 'AUTHENTICATION_ERROR');
});

it('5.8 a page sends its embed token as `Authorization: Bearer`', async () => {
  const { issue, request } = await startReferenceServer();
  const { token } = await issue();
  const sessions = (headers: Record<string, string>, query = '') =>
    request('GET', `/agent/v1/sessions${query}`, { headers: { origin, ...headers } });

  expect((await sessions({ authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await sessions({ 'x-api-key': token })).status).toBe(401);
  expect((await sessions({}, `?access_token=${token}`)).status).toBe(401);
});

it('5.9 a token request with a `visitor_secret` in its body returns no new secret', async () => {
  const { page } = await startReferenceServer();
  const visit = (fields: object) =>
    page('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: 'pk_conformance',
      ...fields,
    });
  const { body } = await visit({});

  const again = await visit({ visitor_secret: body.visitor_secret });

  expect(again.status).toBe(200);
  expect(again.body.external_user_id).toBe(body.external_user_id);
  expect(again.body).not.toHaveProperty('visitor_secret');
});

it('5.1 an API key is never sent to a model provider', async () => {
  const { complete, requestsOf } = await startModelServer();

  await complete();

  expect(JSON.stringify(requestsOf('a'))).not.toContain(apiKey);
});
