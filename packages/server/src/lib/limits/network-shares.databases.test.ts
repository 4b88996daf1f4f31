/** Shares of a publishable key's day by network, and the reserve for known visitors and new networks. */
import { AnonymousTokenResponse } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../clock.ts';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';

async function setup(key: object = {}) {
  const server = await setupServer({
    config: { trusted_proxies: 1 },
    agent: { publishable_keys: [{ key: 'pk_test', ...key }] },
  });
  const requestToken = (address: string, visitor_secret?: string) =>
    server.requestAsPage(
      'POST',
      '/agent/v1/embed_tokens/anonymous',
      { publishable_key: 'pk_test', visitor_secret },
      { 'x-forwarded-for': address },
    );
  const getToken = async (address: string, secret?: string) => {
    const response = await requestToken(address, secret);
    return AnonymousTokenResponse.parse(await response.json());
  };
  const createSession = (token: string, address: string) =>
    server.requestAsUser(
      token,
      'POST',
      '/agent/v1/sessions',
      { initial_events: [message('Hello')] },
      { 'x-forwarded-for': address },
    );
  return {
    ...server,
    requestToken,
    getToken,
    createSession,
    /** Creates sessions with new visitors from an address until one is rejected; returns their number. */
    async exhaust(address: string): Promise<number> {
      let count = 0;
      for (;;) {
        const response = await requestToken(address);
        if (response.status !== 200) return count;
        const { token } = AnonymousTokenResponse.parse(await response.json());
        const before = count;
        while ((await createSession(token, address)).status === 200) count += 1;
        if (count === before) return count;
      }
    },
  };
}

const key = { sessions_per_day: 100, new_visitors_per_hour: 1000 };

describe('one customer of a provider', () => {
  it.each([
    ['a /56', ['2001:db8:0:1::1', '2001:db8:0:2::1', '2001:db8:0:3::1', '2001:db8:0:ff::1'], 30],
    [
      'a /48',
      ['2001:db8:0:1::1', '2001:db8:0:101::1', '2001:db8:0:201::1', '2001:db8:0:301::1'],
      45,
    ],
    ['a /24', ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'], 30],
  ])('gets only a part of the day with all addresses of %s', async (_, addresses, share) => {
    const { exhaust, getToken, createSession } = await setup(key);

    let used = 0;
    for (const address of addresses) used += await exhaust(address);

    expect(used).toBe(share);
    const other = '198.51.100.1';
    const { token } = await getToken(other);
    expect((await createSession(token, other)).status).toBe(200);
  });

  it('is rejected as a new visitor by the limits of the larger networks', async () => {
    const { requestToken } = await setup({ new_visitors_per_hour: 2 });

    const statuses = [];
    for (let n = 1; n <= 6; n += 1) statuses.push((await requestToken(`203.0.113.${n}`)).status);

    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    expect((await requestToken('198.51.100.1')).status).toBe(200);
  });
});

describe('the reserve', () => {
  it('remains for networks that were not seen on this day, and a half of it for known visitors', async () => {
    const { clock, createSession, exhaust, getToken, requestToken } = await setup(key);
    const home = '2001:db8:ffff::1';
    const { visitor_secret } = await getToken(home);
    clock.advance(dayMs + 1);

    const addresses = ['192.0.2.1', '198.51.100.1', '203.0.113.1', '100.64.0.1', '100.64.1.1'];
    let used = 0;
    for (const address of addresses) used += await exhaust(address);
    // The last of them found only the reserve, of which each new network gets two sessions.
    expect(used).toBe(62);

    for (let n = 0; n < 9; n += 1) expect(await exhaust(`100.65.${n}.1`)).toBe(2);
    expect(await exhaust('100.66.0.1')).toBe(0);
    const refused = await requestToken('100.67.0.1');
    expect(refused.status).toBe(429);
    expect((await problemOf(refused)).code).toBe('EMBED_QUOTA_EXCEEDED');
    const { token } = await getToken(home, visitor_secret);
    expect((await createSession(token, home)).status).toBe(200);
  });

  it('is not kept with `reserve_percent: 0`', async () => {
    const { exhaust } = await setup({
      ...key,
      reserve_percent: 0,
      sessions_per_source_per_day: 50,
    });

    expect(await exhaust('192.0.2.1')).toBe(50);
    expect(await exhaust('198.51.100.1')).toBe(50);
  });
});
