import { Problem } from '@inlay/protocol';
import { describe, expect, it, vi } from 'vitest';
import { networkOf } from '../http/source.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { listen } from '../testing/listen.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';
import { createInProcessLimiter } from './in-process-limiter.ts';

const list = '/agent/v1/embed_tokens';
const config = '/agent/v1/embed/config';
const limited = { limits: { api_key: { requests_per_second: 3, concurrent: 2 } } };

describe('requests per second', () => {
  it('writes both families of headers on every answer', async () => {
    const { backend, clock } = await setupServer({ config: limited });
    await backend('GET', list);
    clock.advance(150);

    const response = await backend('GET', '/agent/v1/nowhere');

    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-ratelimit-limit-requests': '3',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '850ms',
      'ratelimit-limit': '3',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '1',
    });
  });

  it('Q04: refuses one more within a second, with everything that a client needs', async () => {
    const { backend, clock } = await setupServer({ config: limited });
    for (let n = 0; n < 3; n += 1) expect((await backend('GET', list)).status).toBe(200);

    const refused = await backend('GET', list);

    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1s',
      'ratelimit-remaining': '0',
      'x-service-problem-code': 'RATE_LIMITED',
      'x-service-problem-scope': 'platform',
      'x-service-problem-kind': 'rate_limit',
    });
    expect(Problem.parse(await refused.json())).toMatchObject({
      code: 'RATE_LIMITED',
      detail: expect.stringMatching(/^Requests per second limit/),
      kind: 'rate_limit',
      scope: 'platform',
      retryable: true,
    });
    clock.advance(1000);
    expect((await backend('GET', list)).status).toBe(200);
  });

  it('counts end users apart, by the policy, whatever tokens they hold', async () => {
    const { endUser, issue } = await setupServer({
      agent: {
        embed: { allowed_origins: [testOrigin], limits: { requests_per_second: 2, concurrent: 8 } },
      },
    });
    const [tab, phone, other] = [await issue('ada'), await issue('ada'), await issue('bob')];

    const statuses = [];
    for (const { token } of [tab, phone, tab, other]) {
      statuses.push((await endUser(token, 'GET', config)).status);
    }

    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it('counts requests without a good credential by source', async () => {
    const { app, backend, page } = await setupServer({
      config: { limits: { source: { requests_per_second: 2, concurrent: 5 } } },
    });

    await page('GET', config);
    await app.request(list, { headers: { authorization: 'Bearer sk-service-wrong' } });

    expect((await page('GET', config)).status).toBe(429);
    expect((await backend('GET', list)).status).toBe(200);
  });

  it.each([
    [0, ['198.51.100.1', '198.51.100.2'], [200, 429]],
    [1, ['198.51.100.1', '198.51.100.2'], [200, 200]],
    [1, ['10.0.0.1, 198.51.100.1', '10.0.0.2, 198.51.100.1'], [200, 429]],
    [2, ['198.51.100.1, 10.0.0.1', '198.51.100.2, 10.0.0.1'], [200, 200]],
  ])(
    'A09: with %i trusted proxies, X-Forwarded-For %j gives %j',
    async (proxies, headers, statuses) => {
      const { page } = await setupServer({
        config: {
          trusted_proxies: proxies,
          limits: { source: { requests_per_second: 1, concurrent: 5 } },
        },
      });

      const seen = [];
      for (const header of headers) {
        const body = { publishable_key: 'pk_test' };
        const path = '/agent/v1/embed_tokens/anonymous';
        seen.push((await page('POST', path, body, { 'x-forwarded-for': header })).status);
      }

      expect(seen).toEqual(statuses);
    },
  );

  it('never counts health', async () => {
    const { page } = await setupServer({
      config: { limits: { source: { requests_per_second: 1, concurrent: 1 } } },
    });

    for (let n = 0; n < 20; n += 1) expect((await page('GET', '/meta/v1/health')).status).toBe(200);
  });
});

describe('requests under way', () => {
  it('hold a place until their stream ends, however long that is', async () => {
    const setup = await setupServer({
      agent: {
        embed: {
          allowed_origins: [testOrigin],
          limits: { requests_per_second: 50, concurrent: 1 },
        },
      },
    });
    const { token } = await setup.issue();
    const session = (await (
      await setup.endUser(token, 'POST', '/agent/v1/sessions', {})
    ).json()) as {
      id: string;
    };
    const { url, close } = await listen(setup.app);
    const leave = new AbortController();
    const stream = await fetch(`${url}/agent/v1/sessions/${session.id}/events/stream`, {
      headers: { authorization: `Bearer ${token}`, origin: testOrigin },
      signal: leave.signal,
    });
    setup.clock.advance(5000);

    const refused = await setup.endUser(token, 'GET', config);
    leave.abort();
    await vi.waitFor(async () => {
      expect((await setup.endUser(token, 'GET', config)).status).toBe(200);
    });
    await close();

    expect(stream.status).toBe(200);
    expect(stream.headers.get('x-request-id')).toMatch(/^req_/);
    expect(stream.headers.get('x-ratelimit-limit-requests')).toBe('50');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(Problem.parse(await refused.json()).detail).toMatch(/^Concurrent request limit/);
  });
});

describe('the limiter', () => {
  const limits = { requests_per_second: 3, concurrent: 2 };

  it('Q08: lets no more than the limit through any second, across every boundary', async () => {
    const clock = createFakeClock();
    const limiter = createInProcessLimiter(clock);
    const passed: number[] = [];

    for (let n = 0; n < 200; n += 1) {
      const admission = await limiter.begin('a', limits);
      if (!admission.refused) passed.push(clock.now());
      admission.release();
      clock.advance(n % 7 === 0 ? 600 : 37);
    }

    for (const start of passed) {
      const within = passed.filter((time) => time >= start && time < start + 1000);
      expect(within.length).toBeLessThanOrEqual(3);
    }
  });

  it('frees a place only when the request ends, and once', async () => {
    const clock = createFakeClock();
    const limiter = createInProcessLimiter(clock);
    const first = await limiter.begin('a', limits);
    await limiter.begin('a', limits);
    clock.advance(5000);

    const refused = await limiter.begin('a', limits);
    refused.release();
    expect(refused).toMatchObject({ refused: 'concurrency', remaining: 3 });
    expect((await limiter.begin('a', limits)).refused).toBe('concurrency');

    first.release();
    first.release();
    expect((await limiter.begin('a', limits)).refused).toBeNull();
    expect((await limiter.begin('a', limits)).refused).toBe('concurrency');
  });

  it('forgets who has not been here lately', async () => {
    const clock = createFakeClock();
    const limiter = createInProcessLimiter(clock);
    for (let n = 0; n < 1200; n += 1) (await limiter.begin(`s${n}`, limits)).release();
    const held = await limiter.begin('stays', limits);
    clock.advance(2000);
    (await limiter.begin('other', limits)).release();

    held.release();
    const again = await limiter.begin('stays', limits);

    expect(again).toMatchObject({ refused: null, remaining: 2 });
  });
});

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ])('A09: %s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
