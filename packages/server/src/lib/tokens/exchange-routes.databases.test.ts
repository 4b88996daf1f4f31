import { ExchangeResponse } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testBaseUrl } from '../testing/setup-server.ts';

const path = '/agent/v1/embed/exchange';

async function setup() {
  const server = await setupServer();
  const hosted = { origin: testBaseUrl };
  return {
    ...server,
    exchange: (code: unknown) => server.requestAsPage('POST', path, { code }, hosted),
    config: (token: string) =>
      server.requestAsUser(token, 'GET', '/agent/v1/embed/config', undefined, hosted),
    async code(user = 'ada') {
      const issued = await server.issue(user, { hosted: true, ttl_seconds: 3600 });
      return { ...issued, code: issued.hosted_url?.split('#c=')[1] ?? '' };
    },
  };
}

describe('POST /embed/exchange', () => {
  it('returns a second token of the same issuance, with the same expiry', async () => {
    const { code, exchange, config } = await setup();
    const issued = await code();

    const response = await exchange(issued.code);

    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = ExchangeResponse.parse(await response.json());
    expect(body.token).not.toBe(issued.token);
    expect(body.expires_at).toBe(issued.expires_at);
    expect(await (await config(body.token)).json()).toMatchObject({
      token: { external_user_id: 'ada', expires_at: issued.expires_at },
    });
  });

  it('issues a token that is revoked together with its issuance', async () => {
    const { backend, code, requestAsUser, exchange, config } = await setup();
    const issued = await code();
    const { token } = ExchangeResponse.parse(await (await exchange(issued.code)).json());

    await backend('POST', `/agent/v1/embed_tokens/${issued.id}/revoke`);

    expect((await config(token)).status).toBe(401);
    expect((await requestAsUser(issued.token, 'GET', '/agent/v1/embed/config')).status).toBe(401);
  });

  it('E02: accepts exactly one of several concurrent requests', async () => {
    const { code, exchange } = await setup();
    const issued = await code();

    const responses = await Promise.all(Array.from({ length: 8 }, () => exchange(issued.code)));

    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(404)]);
  });

  it('E03: returns the same response for used, expired, revoked, unknown and malformed codes', async () => {
    const { backend, code, exchange, clock } = await setup();
    const used = await code();
    await exchange(used.code);
    const expired = await code();
    clock.advance(61_000);
    const revoked = await code();
    await backend('POST', `/agent/v1/embed_tokens/${revoked.id}/revoke`);
    const blocked = await code('eve');
    await backend('POST', '/agent/v1/agents/test/end_users/eve/block');

    const codes = [
      used.code,
      expired.code,
      revoked.code,
      blocked.code,
      'ec_unknown',
      '',
      'x'.repeat(10_000),
      '\r\n',
      expired.code.replace('ec_', 'et_'),
      `${expired.code} `,
      'ec_\u{1f511}',
    ];
    const responses = await Promise.all(codes.map(exchange));

    expect(responses.map(({ status }) => status)).toEqual(codes.map(() => 404));
    const headers = responses.map((response) => {
      const perRequestHeaders = /^(?:x-request-id|x?-?ratelimit-.*)$/;
      return JSON.stringify(
        [...response.headers].filter(([name]) => !perRequestHeaders.test(name)),
      );
    });
    expect(new Set(headers).size).toBe(1);
    const problems = await Promise.all(responses.map(problemOf));
    const bodies = problems.map((problem) => JSON.stringify({ ...problem, instance: '' }));
    expect(new Set(bodies).size).toBe(1);
    expect(problems[0]).toMatchObject({ code: 'NOT_FOUND' });
    expect(new Set(problems.map(({ instance }) => instance)).size).toBe(codes.length);
  });

  it('accepts a code one millisecond before it expires', async () => {
    const { code, exchange, clock } = await setup();
    const issued = await code();

    clock.advance(59_999);

    expect((await exchange(issued.code)).status).toBe(200);
  });

  it('rejects a code that is not a string', async () => {
    const { exchange } = await setup();

    expect((await exchange(7)).status).toBe(400);
    expect((await exchange(undefined)).status).toBe(400);
  });
});
