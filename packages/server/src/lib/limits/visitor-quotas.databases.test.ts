/** Daily quotas of a visitor and of a source address, which are shares of the publishable key's quota. */
import { AnonymousTokenResponse } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { paidResponse, setupPaidModel } from '../testing/setup-paid-model.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';

async function setup(key: object = {}, { agent, config, ...options }: SetupOptions = {}) {
  const server = await setupServer({
    ...options,
    config: { ...config, trusted_proxies: 1 },
    agent: { ...agent, publishable_keys: [{ key: 'pk_test', ...key }] },
  });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  return {
    ...server,
    /** Returns the token of a new visitor. */
    async getToken(address = '203.0.113.1') {
      const body = { publishable_key: 'pk_test' };
      const path = '/agent/v1/embed_tokens/anonymous';
      const response = await server.requestAsPage('POST', path, body, from(address));
      expect(response.status).toBe(200);
      return AnonymousTokenResponse.parse(await response.json()).token;
    },
    /** Starts a session, by default with a message. */
    createSession: (token: string, address = '203.0.113.1', texts = ['Hello']) =>
      server.requestAsUser(
        token,
        'POST',
        '/agent/v1/sessions',
        { initial_events: texts.map(message) },
        from(address),
      ),
    sendMessage: (token: string, sessionId: string, address = '203.0.113.1') =>
      server.requestAsUser(
        token,
        'POST',
        `/agent/v1/sessions/${sessionId}/events`,
        { events: [message('Hello')] },
        from(address),
      ),
    async countedSessions() {
      const rows = await server.store.db.selectFrom('publishable_key_days').selectAll().execute();
      return rows[0]?.sessions ?? 0;
    },
  };
}

const idOf = async (response: Response) => ((await response.json()) as { id: string }).id;

describe('sessions of one visitor', () => {
  it('are limited to a twentieth of the key’s daily quota, independently of other visitors', async () => {
    const { createSession, getToken, countedSessions } = await setup();
    const [first, other] = [await getToken(), await getToken()];
    const statuses = [];
    for (let n = 0; n < 60; n += 1) statuses.push((await createSession(first)).status);

    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    const refused = await createSession(first);
    expect(refused.headers.get('retry-after')).toBe(String(12 * 3600));
    expect(await problemOf(refused)).toMatchObject({
      code: 'EMBED_QUOTA_EXCEEDED',
      detail: expect.stringContaining('of this visitor'),
    });
    expect((await createSession(other)).status).toBe(200);
    // Rejected requests are not counted.
    expect(await countedSessions()).toBe(51);
  });

  it('are limited by `sessions_per_visitor_per_day`, which is reset the next day', async () => {
    const { createSession, clock, getToken } = await setup(
      { sessions_per_visitor_per_day: 2 },
      { agent: { embed: { default_ttl_seconds: 3600 } } },
    );
    clock.advance(11.5 * 3_600_000);
    const token = await getToken();

    const today = [
      await createSession(token),
      await createSession(token),
      await createSession(token),
    ];
    clock.advance(1_800_000);
    const tomorrow = await createSession(token);

    expect(today.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(tomorrow.status).toBe(200);
  });
});

describe('sessions from one source address', () => {
  it('are limited by `sessions_per_source_per_day` for all visitors together; at the limit, new visitors are rejected', async () => {
    const { createSession, requestAsPage, getToken } = await setup({
      sessions_per_source_per_day: 3,
    });
    const tokens = [await getToken(), await getToken(), await getToken(), await getToken()];
    const otherAddress = await getToken('203.0.113.2');

    const statuses = [];
    for (const token of tokens) statuses.push((await createSession(token)).status);

    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await createSession(otherAddress, '203.0.113.2')).status).toBe(200);
    const body = { publishable_key: 'pk_test' };
    const path = '/agent/v1/embed_tokens/anonymous';
    const newVisitor = (address: string) =>
      requestAsPage('POST', path, body, { 'x-forwarded-for': address });
    expect((await newVisitor('203.0.113.1')).status).toBe(429);
    expect((await newVisitor('203.0.113.2')).status).toBe(200);
  });

  it('are counted under a hash of the address, not under the address itself', async () => {
    const { createSession, store, getToken } = await setup();
    await createSession(await getToken());

    const rows = await store.db.selectFrom('publishable_key_shares').selectAll().execute();

    expect(rows.map(({ subject }) => subject.split(':')[0]).toSorted()).toEqual([
      'network',
      'source',
      'visitor',
    ]);
    expect(JSON.stringify(rows)).not.toContain('203.0.113.1');
  });
});

describe('a session without a message', () => {
  it('is counted once, when its first message arrives', async () => {
    const { createSession, countedSessions, sendMessage, getToken } = await setup({
      sessions_per_day: 1,
    });
    const token = await getToken();
    const [first, second] = [
      await idOf(await createSession(token, '203.0.113.1', [])),
      await idOf(await createSession(token, '203.0.113.1', [])),
    ];
    expect(await countedSessions()).toBe(0);

    const statuses = [
      (await sendMessage(token, first)).status,
      (await sendMessage(token, first)).status,
      (await sendMessage(token, second)).status,
    ];

    expect(statuses).toEqual([200, 200, 429]);
    expect(await countedSessions()).toBe(1);
  });

  it('of a signed-in user counts against `user.empty_sessions_per_day`', async () => {
    const { createSession, clock, requestAsUser, issue } = await setup(
      {},
      { config: { limits: { user: { empty_sessions_per_day: 2 } } } },
    );
    clock.advance(11.5 * 3_600_000);
    const { token } = await issue('ada', { ttl_seconds: 3600 });
    const { token: other } = await issue('bob');
    const empty = (userToken = token) => createSession(userToken, '203.0.113.1', []);
    const statuses = [(await empty()).status, (await empty()).status];

    const refused = await empty();

    expect(statuses).toEqual([200, 200]);
    expect(refused.status).toBe(429);
    expect(await problemOf(refused)).toMatchObject({
      code: 'EMBED_QUOTA_EXCEEDED',
      detail: expect.stringContaining('without a message'),
    });
    const list = await requestAsUser(token, 'GET', '/agent/v1/sessions');
    expect(((await list.json()) as { data: object[] }).data).toHaveLength(2);
    expect((await empty(other)).status).toBe(200);
    expect((await createSession(token)).status).toBe(200);
    clock.advance(1_800_000);
    expect((await empty()).status).toBe(200);
  });
});

describe('spending', () => {
  /** Sets up a model whose responses cost two cents each, and a publishable key with a large budget. */
  async function setupSpend(quotas: object) {
    const { settings, requests } = await setupPaidModel([paidResponse]);
    const server = await setup({ spend_cents_per_day: 1000, ...quotas }, settings);
    const spent = async () => {
      const rows = await server.store.db
        .selectFrom('publishable_key_days')
        .select('spent_microcents')
        .execute();
      return Number(rows[0]?.spent_microcents ?? 0) / 1_000_000;
    };
    return { ...server, requests, spent };
  }

  it('is limited by `spend_cents_per_visitor_per_day`, independently of other visitors', async () => {
    const { createSession, sendMessage, spent, getToken } = await setupSpend({
      spend_cents_per_visitor_per_day: 2,
    });
    const [first, other] = [await getToken(), await getToken()];
    const id = await idOf(await createSession(first));
    await expect.poll(spent).toBe(2);

    expect((await sendMessage(first, id)).status).toBe(429);
    expect((await createSession(first)).status).toBe(429);
    expect((await createSession(other)).status).toBe(200);
    await expect.poll(spent).toBe(4);
  });

  it('is limited by `spend_cents_per_source_per_day`, independently of other addresses', async () => {
    const { createSession, spent, getToken } = await setupSpend({
      spend_cents_per_source_per_day: 3,
    });
    const tokens = [await getToken(), await getToken(), await getToken()];
    const otherAddress = await getToken('203.0.113.2');
    for (const [index, token] of tokens.slice(0, 2).entries()) {
      expect((await createSession(token)).status).toBe(200);
      await expect.poll(spent).toBe(2 * (index + 1));
    }

    expect((await createSession(tokens[2] ?? '')).status).toBe(429);
    expect((await createSession(otherAddress, '203.0.113.2')).status).toBe(200);
    await expect.poll(spent).toBe(6);
  });

  it('exceeds the visitor’s quota by the cost of at most one call if calls are simultaneous', async () => {
    const { requests, createSession, clock, spent, store, getToken } = await setupSpend({
      spend_cents_per_visitor_per_day: 3,
    });
    const first = await getToken();

    const responses = await Promise.all(Array.from({ length: 5 }, () => createSession(first)));

    const accepted = responses.filter(({ status }) => status === 200).length;
    const ended = async () => {
      // A run whose model call does not fit into the budget checks it again every 500 ms.
      clock.advance(500);
      const events = store.db.selectFrom('events').select('id');
      return (await events.where('type', '=', 'session.status_idle').execute()).length;
    };
    await expect.poll(ended).toBe(accepted);
    expect(accepted).toBeGreaterThanOrEqual(2);
    expect(await spent()).toBeLessThanOrEqual(4);
    expect(requests.length).toBeLessThanOrEqual(2);
  });
});
