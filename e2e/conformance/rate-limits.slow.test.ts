/** Rules 8.1 and 8.2: rate limits of the platform. */
import { expect, it, vi } from 'vitest';
import { createKey, manageKeys } from './setup/operator.ts';
import { apiKey, expectProblem, origin, startReferenceServer } from './setup/server.ts';

const tokensPath = '/agent/v1/embed_tokens';
const modelsPath = '/model/v1/models';
const healthPath = '/meta/v1/health';

/** Removes the limits of the setup, so that the defaults of the server apply. */
const defaultLimits = { api_key: undefined, source: undefined };

const start = (limits: object = defaultLimits) => startReferenceServer({ config: { limits } });
const requestsPerSecond = (requests_per_second: number) => ({
  requests_per_second,
  concurrent: 100,
});
const concurrentRequests = (concurrent: number) => ({ requests_per_second: 1000, concurrent });

/** A model that sends nothing for ten minutes of the test’s clock. */
const slowProvider = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 600_000 };

/** Starts a server, and opens streams of a model that stay open. */
async function startWithStreams(count: number, limits: object = defaultLimits) {
  const server = await startReferenceServer({
    config: { limits, models: [{ id: 'slow', providers: [slowProvider] }] },
  });
  const controller = new AbortController();
  const body = { model: 'slow', messages: [{ role: 'user', content: 'Hi' }], stream: true };
  const headers = { authorization: `Bearer ${apiKey}` };
  const options = { body, headers, signal: controller.signal };
  const open = Array.from({ length: count }, () =>
    server.send('POST', '/model/v1/chat/completions', options).catch(() => null),
  );
  return { ...server, open, disconnect: () => controller.abort() };
}

it('8.1 requests are counted by API key', async () => {
  const { backend, page } = await start({
    api_key: requestsPerSecond(1),
    source: requestsPerSecond(1),
  });

  const replies = [await backend('GET', tokensPath), await backend('GET', tokensPath)];

  expect(replies.map(({ status }) => status)).toEqual([200, 429]);
  // Requests with a key do not count against the limit of the address.
  expect((await page('GET', modelsPath)).status).toBe(200);
});

it('8.1 without a valid credential, requests are counted by source address', async () => {
  const { request, backend } = await start({ source: requestsPerSecond(2) });
  const wrong = { headers: { authorization: 'Bearer sk-service-wrong' } };

  const replies = [
    await request('GET', modelsPath),
    await request('GET', tokensPath, wrong),
    await request('GET', modelsPath),
  ];

  expect(replies.map(({ status }) => status)).toEqual([200, 401, 429]);
  expect((await backend('GET', tokensPath)).status).toBe(200);
});

it('8.2.1 an API key can send 5 requests per second by default', async () => {
  const { backend, clock } = await start();
  const statuses: number[] = [];

  for (let count = 0; count < 6; count += 1)
    statuses.push((await backend('GET', tokensPath)).status);
  clock.advance(1000);
  statuses.push((await backend('GET', tokensPath)).status);

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 200]);
});

it('8.2.1 an API key can have 4 requests in progress by default, and a stream counts until it ends', async () => {
  const { open, backend, clock, disconnect } = await startWithStreams(4);
  // Advances the clock before each poll, because polls also count against the requests per second.
  const pollDetail = async () => {
    clock.advance(1000);
    return (await backend('GET', tokensPath)).body.detail;
  };
  await expect.poll(pollDetail).toMatch(/^Concurrent/);

  clock.advance(10_000);
  const later = await backend('GET', tokensPath);
  disconnect();
  await Promise.all(open);

  expectProblem(later, 429, 'RATE_LIMITED');
  await vi.waitFor(async () => {
    clock.advance(1000);
    expect((await backend('GET', tokensPath)).status).toBe(200);
  }, 60_000);
});

it('8.2.1 an API key can have its own limits, which are in the headers of its responses', async () => {
  const config = { limits: { api_key: requestsPerSecond(5) } };
  const { folder, as, backend } = await startReferenceServer({ config });
  const { key, id } = await createKey(folder);

  await manageKeys(folder, 'limit', id, '--requests-per-second', '1');

  const replies = [await as(key)('GET', tokensPath), await as(key)('GET', tokensPath)];
  expect(replies.map(({ status }) => status)).toEqual([200, 429]);
  expect(replies[0]?.headers.get('x-ratelimit-limit-requests')).toBe('1');
  const other = await backend('GET', tokensPath);
  expect(other.headers.get('x-ratelimit-limit-requests')).toBe('5');
});

it('8.2.2 every response has the limit, the remaining requests and the reset in headers of two formats', async () => {
  const { backend, clock, request } = await start({
    api_key: requestsPerSecond(3),
    source: requestsPerSecond(3),
  });
  const paths = [
    tokensPath,
    '/agent/v1/nothing',
    modelsPath,
    '/database/v1/databases',
    '/media/v1/libraries',
    '/automation/v1/actions',
  ];
  const others = ['/sandbox/v1/x', '/search/v1/x', '/meta/v1/openapi.json'];

  for (const path of [...paths, ...others]) {
    clock.advance(1000);
    const { fields } = await backend('GET', path);
    expect(fields, path).toMatchObject({
      'x-ratelimit-limit-requests': '3',
      'x-ratelimit-remaining-requests': '2',
      'x-ratelimit-reset-requests': '1s',
      'ratelimit-limit': '3',
      'ratelimit-remaining': '2',
      'ratelimit-reset': '1',
    });
  }
  expect((await request('GET', tokensPath)).fields).toMatchObject({
    'x-ratelimit-remaining-requests': '2',
  });
});

it('8.2.2 a reset in less than a second is in milliseconds in one format, and rounded up in the other', async () => {
  const { backend, clock } = await start({ api_key: requestsPerSecond(5) });
  await backend('GET', tokensPath);
  clock.advance(150);

  const { fields } = await backend('GET', tokensPath);

  expect(fields).toMatchObject({
    'x-ratelimit-remaining-requests': '3',
    'x-ratelimit-reset-requests': '850ms',
    'ratelimit-reset': '1',
  });
});

it('8.2.3 a request over the limit per second gets 429 with Retry-After and a detail', async () => {
  const { backend } = await start({ api_key: requestsPerSecond(2) });
  await backend('GET', tokensPath);
  await backend('GET', tokensPath);

  const refused = await backend('GET', tokensPath);

  expectProblem(refused, 429, 'RATE_LIMITED');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.body.detail).toMatch(/^Requests per second limit/);
});

it('8.2.3 refused requests do not extend the window; the remaining requests stay 0 until the reset', async () => {
  const { backend, clock } = await start({ api_key: requestsPerSecond(2) });
  await backend('GET', tokensPath);
  await backend('GET', tokensPath);
  const remaining: unknown[] = [];

  for (let count = 0; count < 4; count += 1) {
    remaining.push((await backend('GET', tokensPath)).fields['ratelimit-remaining']);
    clock.advance(200);
  }
  clock.advance(200);
  const next = await backend('GET', tokensPath);

  expect(remaining).toEqual(['0', '0', '0', '0']);
  expect([next.status, next.fields['ratelimit-remaining']]).toEqual([200, '1']);
});

it('8.2.4 a request beyond the concurrency limit gets 429 with Retry-After 1 and a detail', async () => {
  const { open, backend, disconnect } = await startWithStreams(1, {
    api_key: concurrentRequests(1),
  });
  await expect.poll(async () => (await backend('GET', tokensPath)).status).toBe(429);

  const refused = await backend('GET', tokensPath);
  disconnect();
  await Promise.all(open);

  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.body.detail).toMatch(/^Concurrent request limit/);
});

it('8.2.4 a request counts as in progress until it ends, however long that takes', async () => {
  const { open, backend, clock, disconnect } = await startWithStreams(1, {
    api_key: concurrentRequests(1),
  });
  await expect.poll(async () => (await backend('GET', tokensPath)).status).toBe(429);
  clock.advance(60_000);
  const waited = await backend('GET', tokensPath);

  disconnect();
  await Promise.all(open);

  expect(waited.status).toBe(429);
  await expect.poll(async () => (await backend('GET', tokensPath)).status).toBe(200);
});

it('8.2.4 an event stream of a session counts as in progress until it ends', async () => {
  const limits = concurrentRequests(1);
  const server = await startReferenceServer({ policy: { allowed_origins: [origin], limits } });
  const { token } = await server.issue();
  const call = server.asUser(token);
  const { body } = await call('POST', '/agent/v1/sessions', {});
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${token}`, origin };
  const path = `/agent/v1/sessions/${body.id}/events/stream`;
  await server.send('GET', path, { headers, signal: controller.signal });

  const refused = await call('GET', '/agent/v1/sessions');
  controller.abort();

  expectProblem(refused, 429, 'RATE_LIMITED');
  await expect.poll(async () => (await call('GET', '/agent/v1/sessions')).status).toBe(200);
});

it('8.2.5 a 429 of the platform has `scope: platform`, `kind: rate_limit` and `retryable: true`', async () => {
  const { backend } = await start({ api_key: requestsPerSecond(1) });
  await backend('GET', tokensPath);

  const { body, fields } = await backend('GET', tokensPath);

  expect(body).toMatchObject({ scope: 'platform', kind: 'rate_limit', retryable: true });
  expect(fields).toMatchObject({
    'ratelimit-limit': '1',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '1',
    'retry-after': '1',
  });
});

it('8.2.6 requests without a credential have a lower limit than requests with a key', async () => {
  const { request, backend } = await start();

  const anonymous = await request('GET', modelsPath);
  const withKey = await backend('GET', modelsPath);

  const limitOf = ({ fields }: typeof anonymous) => Number(fields['ratelimit-limit']);
  expect(limitOf(withKey)).toBe(5);
  expect(limitOf(anonymous)).toBeGreaterThan(0);
  expect(limitOf(anonymous)).toBeLessThan(limitOf(withKey));
});

it('8.2.6 a request with a key counts only against the limit of the key', async () => {
  const { request, backend } = await start({
    api_key: requestsPerSecond(2),
    source: requestsPerSecond(1),
  });
  await backend('GET', modelsPath);
  await backend('GET', modelsPath);

  expect((await backend('GET', modelsPath)).status).toBe(429);
  expect((await request('GET', modelsPath)).status).toBe(200);
});

it('8.2.7 GET /meta/v1/health has no limit', async () => {
  const { request } = await start({ source: requestsPerSecond(1) });

  const replies = await Promise.all(Array.from({ length: 20 }, () => request('GET', healthPath)));

  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
});
