import { describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { follow } from '../testing/follow.ts';
import { listen } from '../testing/listen.ts';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testApiKey, testOrigin } from '../testing/setup-server.ts';
import { createInProcessLimiter } from './in-process-limiter.ts';

const list = '/agent/v1/embed_tokens';
const config = '/agent/v1/embed/config';
const anonymous = '/agent/v1/embed_tokens/anonymous';

type Limits = { requests_per_second: number; concurrent: number };
const unlimited = { requests_per_second: 100_000, concurrent: 1000 };

/** Sets up a server with only these limits. */
function limited(
  limits: { api_key?: Limits; source?: Limits; public?: Limits; user?: Limits },
  more: object = {},
) {
  const { user, ...otherLimits } = limits;
  return setupServer({
    config: {
      limits: { api_key: unlimited, source: unlimited, public: unlimited, ...otherLimits },
      ...more,
    },
    agent: { embed: { allowed_origins: [testOrigin], limits: user ?? unlimited } },
  });
}

const perSecond = (requests_per_second: number) => ({ requests_per_second, concurrent: 50 });
const concurrent = (maximum: number) => ({ requests_per_second: 500, concurrent: maximum });

describe('8.2.1: an API key with default limits', () => {
  it('may send 5 requests per second and 4 concurrent ones', async () => {
    const { backend, clock } = await setupServer({
      config: { limits: { api_key: undefined, source: undefined } },
    });

    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await backend('GET', list)).status);
    clock.advance(1000);
    const together = await Promise.all([1, 2, 3, 4, 5].map(() => backend('GET', list)));

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429]);
  });
});

describe('8.2.2: both sets of rate-limit headers', () => {
  it.each([
    ['a successful request', 'GET', list, 200],
    ['a request for an unknown path', 'GET', '/agent/v1/nowhere', 404],
    ['a request with an unsupported method', 'PATCH', list, 405],
    ['a request with an invalid body', 'POST', list, 400],
    ['a HEAD request', 'HEAD', list, 200],
    ['an OPTIONS request', 'OPTIONS', list, 204],
    ['a request for the API description', 'GET', '/meta/v1/openapi.json', 200],
  ])('are in the response to %s', async (_, method, path, status) => {
    const { app, clock } = await limited({ api_key: perSecond(3) });
    const headers = { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' };
    await app.request(list, { headers });
    clock.advance(150);

    const response = await app.request(path, {
      method,
      headers,
      ...(method === 'POST' && { body: '{}' }),
    });

    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-ratelimit-limit-requests': '3',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '850ms',
      'ratelimit-limit': '3',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '1',
    });
  });

  it.each([
    [0, '1s', '1'],
    [1, '999ms', '1'],
    [150, '850ms', '1'],
    [999, '1ms', '1'],
    [1000, '1s', '1'],
  ])(
    'contain, %i ms after a request, the reset time %s',
    async (elapsedMs, expectedReset, expectedSeconds) => {
      const { backend, clock } = await limited({ api_key: perSecond(5) });
      await backend('GET', list);
      clock.advance(elapsedMs);

      const { headers } = await backend('GET', list);

      expect(headers.get('x-ratelimit-reset-requests')).toBe(expectedReset);
      expect(headers.get('ratelimit-reset')).toBe(expectedSeconds);
    },
  );

  it.each([
    ['a preflight', 'OPTIONS', config],
    ['a problem page', 'GET', '/problems/rate-limited'],
    ['the health check', 'GET', '/meta/v1/health'],
    ['the icon', 'GET', '/favicon.ico'],
    ['an unknown path', 'GET', '/nowhere'],
    ['the API reference', 'GET', '/meta/v1/docs/start.js'],
  ])('are in the response to %s, by source address', async (_, method, path) => {
    const { app } = await limited({ source: perSecond(1), public: perSecond(7) });
    const preflight = { origin: testOrigin, 'access-control-request-method': 'GET' };

    const response = await app.request(path, { method, headers: preflight });

    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-ratelimit-limit-requests': '7',
      'x-ratelimit-remaining-requests': '6',
      'x-ratelimit-reset-requests': '1s',
      'ratelimit-limit': '7',
      'ratelimit-remaining': '6',
      'ratelimit-reset': '1',
    });
  });

  it('are those of `public` in the 429 to requests for files beyond the limit', async () => {
    const { app, clock } = await limited({ public: perSecond(2) });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await app.request('/favicon.ico')).status);
    clock.advance(1000);

    expect(statuses).toEqual([204, 204, 429]);
    expect((await app.request('/favicon.ico')).status).toBe(204);
  });
});

describe('8.2.3 and 8.2.5: a request beyond the limit', () => {
  it('Q04: gets the headers and the problem of a rate limit', async () => {
    const { backend, clock } = await limited({ api_key: perSecond(3) });
    for (let n = 0; n < 3; n += 1) await backend('GET', list);
    clock.advance(400);

    const refused = await backend('GET', list);

    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '600ms',
      'ratelimit-limit': '3',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
      'x-service-problem-code': 'RATE_LIMITED',
      'x-service-problem-kind': 'rate_limit',
      'x-service-problem-scope': 'platform',
      'x-service-problem-retryable': 'true',
    });
    expect(await problemOf(refused)).toMatchObject({
      code: 'RATE_LIMITED',
      detail: expect.stringMatching(/^Requests per second limit/),
      kind: 'rate_limit',
      scope: 'platform',
      retryable: true,
    });
  });

  it('is not counted against the next second', async () => {
    const { backend, clock } = await limited({ api_key: perSecond(3) });
    for (let n = 0; n < 3; n += 1) await backend('GET', list);
    const remaining = [];
    for (let n = 0; n < 9; n += 1) {
      clock.advance(100);
      remaining.push((await backend('GET', list)).headers.get('ratelimit-remaining'));
    }
    clock.advance(100);

    const after = await backend('GET', list);

    expect(new Set(remaining)).toEqual(new Set(['0']));
    expect([after.status, after.headers.get('ratelimit-remaining')]).toEqual([200, '2']);
  });
});

describe('8.2.4: the limit of concurrent requests', () => {
  it.each([
    ['a stream', 'GET', '/events/stream', undefined],
    ['the creation of a session with its stream', 'POST', '', {}],
  ])('counts %s while it is open', async (_, method, path, body) => {
    const { app, clock, requestAsUser, issue } = await limited({ user: concurrent(1) });
    const { token } = await issue();
    const created = await requestAsUser(token, 'POST', '/agent/v1/sessions', {});
    const { id } = (await created.json()) as { id: string };
    const http = await listen(app);
    const url = method === 'POST' ? '/agent/v1/sessions' : `/agent/v1/sessions/${id}${path}`;
    const stream = await follow(`${http.url}${url}`, token, { body });
    clock.advance(5000);

    const refused = await requestAsUser(token, 'GET', config);
    stream.cut();

    expect(stream.response.headers.get('x-ratelimit-limit-requests')).toBe('500');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit-remaining')).toBe('500');
    expect(await problemOf(refused)).toMatchObject({
      detail: expect.stringMatching(/^Concurrent request limit/),
      kind: 'rate_limit',
      scope: 'platform',
      retryable: true,
    });
    await vi.waitFor(async () => {
      expect((await requestAsUser(token, 'GET', config)).status).toBe(200);
    }, 60_000);
  });

  it('counts a long poll until its response is sent', async () => {
    const { clock, requestAsUser, issue } = await limited({ user: concurrent(1) });
    const { token } = await issue();
    const created = await requestAsUser(token, 'POST', '/agent/v1/sessions', {});
    const { id } = (await created.json()) as { id: string };
    const events = `/agent/v1/sessions/${id}/events?after_seq=0&wait=20`;
    const longPoll = requestAsUser(token, 'GET', events);
    await vi.waitFor(async () => {
      expect((await requestAsUser(token, 'GET', config)).status).toBe(429);
    }, 60_000);
    await vi.waitFor(async () => {
      clock.advance(20_000);
      expect((await requestAsUser(token, 'GET', config)).status).toBe(200);
    }, 60_000);

    expect((await longPoll).status).toBe(200);
  });

  it('does not count a request whose response has been sent', async () => {
    const { app, backend } = await limited({ api_key: concurrent(1) });
    const headers = { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' };
    await app.request(list, { method: 'POST', headers, body: '{' });
    await app.request('/agent/v1/nowhere', { headers });
    await app.request(list, { method: 'OPTIONS', headers });

    expect((await backend('GET', list)).status).toBe(200);
  });
});

describe('8.1, 8.2.6 and 8.2.7: the subject of a rate limit', () => {
  it('is the API key of a request with an API key, instead of the source address', async () => {
    const { backend, requestAsPage } = await limited({
      api_key: perSecond(1),
      source: perSecond(1),
    });

    const statuses = [];
    for (const call of [backend, requestAsPage, backend, requestAsPage]) {
      statuses.push((await call('GET', '/agent/v1/nowhere')).status);
    }

    expect(statuses).toEqual([404, 404, 429, 429]);
  });

  it('is the end user, whichever of their tokens is used, with the limits of the policy', async () => {
    const { requestAsUser, issue } = await limited({ user: perSecond(2) });
    const [tab, phone, other] = [await issue('ada'), await issue('ada'), await issue('bob')];

    const statuses = [];
    for (const { token } of [tab, phone, tab, other]) {
      statuses.push((await requestAsUser(token, 'GET', config)).status);
    }

    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it.each([
    ['no credential', {}],
    ['a wrong API key', { authorization: 'Bearer sk-service-wrong' }],
    ['a token that was never issued', { authorization: 'Bearer et_unknown' }],
    ['a credential of another scheme', { authorization: 'Basic eDp5' }],
  ])('is the source address of a request with %s', async (_, headers) => {
    const { requestAsPage, backend } = await limited({ source: perSecond(1) });
    await requestAsPage('GET', config);

    expect((await requestAsPage('GET', config, undefined, headers)).status).toBe(429);
    expect((await backend('GET', list)).status).toBe(200);
  });

  it('is the source address of a request with a revoked token', async () => {
    const { backend, requestAsUser, issue, requestAsPage } = await limited({
      source: perSecond(1),
    });
    const { token, id } = await issue();
    await backend('POST', `${list}/${id}/revoke`);
    await requestAsPage('GET', config);

    expect((await requestAsUser(token, 'GET', config)).status).toBe(429);
  });

  it.each([
    [0, ['198.51.100.1', '198.51.100.2'], [200, 429]],
    [1, ['198.51.100.1', '198.51.100.2'], [200, 200]],
    [1, ['10.0.0.1, 198.51.100.1', '10.0.0.2, 198.51.100.1'], [200, 429]],
    [2, ['198.51.100.1, 10.0.0.1', '198.51.100.2, 10.0.0.1'], [200, 200]],
  ])(
    'A09: is derived from X-Forwarded-For: with %i trusted proxies, requests with %j get %j',
    async (proxies, sources, statuses) => {
      const { requestAsPage } = await limited(
        { source: perSecond(1) },
        { trusted_proxies: proxies },
      );

      const seen = [];
      for (const source of sources) {
        const body = { publishable_key: 'pk_test' };
        seen.push(
          (await requestAsPage('POST', anonymous, body, { 'x-forwarded-for': source })).status,
        );
      }

      expect(seen).toEqual(statuses);
    },
  );

  it('does not exist for the health route, which has no rate limit', async () => {
    const { requestAsPage } = await limited({ source: perSecond(1), public: perSecond(1) });

    for (let n = 0; n < 20; n += 1) {
      const response = await requestAsPage('GET', '/meta/v1/health');
      expect(response.status).toBe(200);
    }
  });
});

describe('createInProcessLimiter', () => {
  const limits = { requests_per_second: 3, concurrent: 2 };

  it('Q08: admits no more requests than the limit within any second', async () => {
    const clock = createFakeClock();
    const limiter = createInProcessLimiter(clock);
    const admitted: number[] = [];

    for (let n = 0; n < 200; n += 1) {
      const admission = await limiter.admit('a', limits);
      if (!admission.refused) admitted.push(clock.now());
      admission.release();
      clock.advance(n % 7 === 0 ? 600 : 37);
    }

    for (const start of admitted) {
      const within = admitted.filter((time) => time >= start && time < start + 1000);
      expect(within.length).toBeLessThanOrEqual(3);
    }
  });

  it('Q08: counts earlier requests for at most one window after the clock was set back', async () => {
    const clock = createFakeClock();
    const limiter = createInProcessLimiter(clock);
    const window = { maximum: 1, windowMs: 60_000 };
    await limiter.admit('ada', perSecond(1));
    await limiter.allow('ada', window);

    clock.advance(-3_600_000);
    const during = await limiter.admit('ada', perSecond(1));
    const duringWindow = await limiter.allow('ada', window);
    clock.advance(60_000);

    expect([during.refused, during.resetMs]).toEqual(['rate', 1000]);
    expect(duringWindow).toEqual({ allowed: false, retryAfterMs: 60_000 });
    expect((await limiter.admit('ada', perSecond(1))).refused).toBeNull();
    expect(await limiter.allow('ada', window)).toEqual({ allowed: true, retryAfterMs: 0 });
  });

  it('releases a concurrent request only once, even if `release` is called twice', async () => {
    const clock = createFakeClock();
    const limiter = createInProcessLimiter(clock);
    const first = await limiter.admit('a', limits);
    await limiter.admit('a', limits);
    clock.advance(5000);

    const refused = await limiter.admit('a', limits);
    refused.release();
    expect(refused).toMatchObject({ refused: 'concurrency', remaining: 3 });
    expect((await limiter.admit('a', limits)).refused).toBe('concurrency');

    first.release();
    first.release();
    expect((await limiter.admit('a', limits)).refused).toBeNull();
    expect((await limiter.admit('a', limits)).refused).toBe('concurrency');
  });

  it('keeps a subject with a request in progress when it removes idle subjects', async () => {
    const clock = createFakeClock();
    const limiter = createInProcessLimiter(clock);
    for (let n = 0; n < 1200; n += 1) (await limiter.admit(`s${n}`, limits)).release();
    const active = await limiter.admit('active', limits);
    clock.advance(2000);
    (await limiter.admit('other', limits)).release();

    active.release();
    const again = await limiter.admit('active', limits);

    expect(again).toMatchObject({ refused: null, remaining: 2 });
  });
});
