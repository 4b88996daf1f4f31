/**
 * Limits for anonymous visitors. Ids such as A09 at the start of a title refer to rows of
 * `docs/faults.md`; numbers such as §4.3 refer to rules of
 * `docs/conformance.md`.
 */
import { AnonymousTokenResponse, EmbedConfig } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';

const path = '/agent/v1/embed_tokens/anonymous';

async function setup(key: object = {}, options: SetupOptions = {}) {
  const server = await setupServer({
    ...options,
    agent: { publishable_keys: [{ key: 'pk_test', ...key }] },
  });
  const { requestAsUser, requestAsPage } = server;
  const requestToken = (fields: object = {}, headers = {}) =>
    requestAsPage('POST', path, { publishable_key: 'pk_test', ...fields }, headers);
  return {
    ...server,
    requestToken,
    from: (address: string) => requestToken({}, { 'x-forwarded-for': address }),
    getToken: async (fields: object = {}) =>
      AnonymousTokenResponse.parse(await (await requestToken(fields)).json()),
    createSession: (token: string) =>
      requestAsUser(token, 'POST', '/agent/v1/sessions', { initial_events: [message('Hello')] }),
    async userOf(token: string) {
      const response = await requestAsUser(token, 'GET', '/agent/v1/embed/config');
      return EmbedConfig.parse(await response.json()).token.external_user_id;
    },
    quotaRows: () => server.store.db.selectFrom('publishable_key_days').selectAll().execute(),
  };
}

const codeOf = async (response: Response) => (await problemOf(response)).code;
const statusesOf = (responses: Response[]) => responses.map(({ status }) => status);

describe('§4.3: new visitors from one address', () => {
  const oneAnHour = { new_visitors_per_hour: 1 };
  const oneTrustedProxy = { config: { trusted_proxies: 1 } };

  it('A09: are counted by the address that the trusted proxy appended to X-Forwarded-For', async () => {
    const { from } = await setup(oneAnHour, oneTrustedProxy);

    const responses = [
      await from('203.0.113.7'),
      await from('198.51.100.1, 203.0.113.7'),
      await from('203.0.113.8, 203.0.113.7:4711'),
      await from('203.0.113.7, 203.0.113.8'),
    ];

    expect(statusesOf(responses)).toEqual([200, 429, 429, 200]);
  });

  it('A09: are counted together if they share an IPv6 /64', async () => {
    const { from } = await setup(oneAnHour, oneTrustedProxy);

    const responses = [
      await from('2001:db8:0:1::1'),
      await from('2001:db8:0:1:ffff:ffff:ffff:ffff'),
      await from('2001:db8:0:2::1'),
    ];

    expect(statusesOf(responses)).toEqual([200, 429, 200]);
  });

  it('A09: are not distinguished by X-Forwarded-For without a trusted proxy', async () => {
    const { from } = await setup(oneAnHour);

    const responses = [await from('203.0.113.7'), await from('203.0.113.8')];

    expect(statusesOf(responses)).toEqual([200, 429]);
  });

  it('A05: are admitted up to the limit of the key, even with concurrent requests', async () => {
    const { requestToken } = await setup({ new_visitors_per_hour: 3 });

    const responses = await Promise.all(Array.from({ length: 8 }, () => requestToken()));

    expect(statusesOf(responses).filter((status) => status === 200)).toHaveLength(3);
  });
});

describe('§4.3: visitors', () => {
  it('A04: are one user in all tabs that share a secret, and a new user in each tab without a secret', async () => {
    const { getToken, userOf } = await setup();
    const { visitor_secret, token } = await getToken();

    const returning = await Promise.all(
      Array.from({ length: 6 }, () => getToken({ visitor_secret })),
    );
    const fresh = await Promise.all(Array.from({ length: 6 }, () => getToken()));

    const users = await Promise.all([token, ...returning.map((tab) => tab.token)].map(userOf));
    expect(new Set(users).size).toBe(1);
    const others = await Promise.all(fresh.map((tab) => userOf(tab.token)));
    expect(new Set([...others, ...users]).size).toBe(7);
    expect(new Set(fresh.map((tab) => tab.visitor_secret)).size).toBe(6);
  });

  it('get as many tokens per hour as the key allows, independently of other visitors', async () => {
    const { requestToken, clock, getToken } = await setup({ refreshes_per_visitor_per_hour: 3 });
    const { visitor_secret } = await getToken();
    const other = await getToken();

    const responses = [];
    for (let n = 0; n < 5; n += 1) responses.push(await requestToken({ visitor_secret }));

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429, 429]);
    expect(responses[4]?.headers.get('retry-after')).toBe('3600');
    expect((await requestToken({ visitor_secret: other.visitor_secret })).status).toBe(200);
    clock.advance(3_600_000);
    expect((await requestToken({ visitor_secret })).status).toBe(200);
  });

  it('A03: become new visitors, with an ordinary response, if their secret belongs to another agent', async () => {
    const { backend, requestAsPage, getToken, userOf } = await setup();
    const { visitor_secret, token } = await getToken();
    await backend('POST', '/agent/v1/agents', {
      short_id: 'other',
      name: 'Other',
      model: { provider: 'scripted' },
      embed: { allowed_origins: [testOrigin] },
    });
    const creation = await backend('POST', '/agent/v1/agents/other/publishable_keys', {});
    const { key: publishable_key } = (await creation.json()) as { key: string };

    const foreign = await requestAsPage('POST', path, { publishable_key, visitor_secret });
    const fresh = await requestAsPage('POST', path, { publishable_key });

    const [first, second] = [await foreign.json(), await fresh.json()];
    expect(Object.keys(first as object)).toEqual(Object.keys(second as object));
    const visitor = AnonymousTokenResponse.parse(first);
    expect(visitor.visitor_secret).not.toBe(visitor_secret);
    expect(await userOf(visitor.token)).not.toBe(await userOf(token));
  });

  it.each([
    'agent',
    'external_user_id',
    'ttl_seconds',
    'version',
    'system_message',
    'agent_override',
    'budget_cents',
    'allowed_origins',
    'metadata',
    'hosted',
  ])('§4.3 rule 3: cannot set the field %s to any value', async (field) => {
    const { requestToken } = await setup();

    for (const value of [null, 'x', 60]) {
      const refused = await requestToken({ [field]: value });
      expect(refused.status).toBe(403);
      expect(await problemOf(refused)).toMatchObject({
        code: 'EMBED_FIELD_NOT_ALLOWED',
        errors: [{ pointer: `/${field}`, message: 'cannot be set with a publishable key' }],
      });
    }
  });

  it.each([[7], [''], [null], [{ key: 'pk_test' }]])(
    '§4.3: are rejected with %j as `publishable_key`',
    async (publishable_key) => {
      const { requestToken } = await setup();

      const response = await requestToken({ publishable_key });

      expect((await problemOf(response)).errors?.[0]?.pointer).toBe('/publishable_key');
    },
  );
});

describe('§4.3 rule 4: the daily quota of a publishable key', () => {
  const untilMidnight = 12 * 3_600_000;

  it('counts created sessions, but neither visitors nor token refreshes', async () => {
    const { createSession, quotaRows, getToken } = await setup();
    const { token, visitor_secret } = await getToken();
    for (let n = 0; n < 5; n += 1) await getToken({ visitor_secret });
    const before = await quotaRows();

    await createSession(token);
    await getToken({ visitor_secret });

    expect(before).toEqual([]);
    expect(await quotaRows()).toMatchObject([{ publishable_key: 'pk_test', sessions: 1 }]);
  });

  it('is reset at the first millisecond of the next UTC day', async () => {
    const { requestToken, createSession, clock, getToken } = await setup({ sessions_per_day: 1 });
    const { token, visitor_secret } = await getToken();
    await createSession(token);

    clock.advance(untilMidnight - 1);
    const newcomer = await requestToken();
    const returning = await requestToken({ visitor_secret });
    const { token: refreshed } = AnonymousTokenResponse.parse(await returning.json());
    const refused = await createSession(refreshed);
    clock.advance(1);
    const accepted = await createSession(refreshed);

    expect(newcomer.status).toBe(429);
    expect(newcomer.headers.get('retry-after')).toBe('1');
    expect(await codeOf(newcomer)).toBe('EMBED_QUOTA_EXCEEDED');
    expect(returning.status).toBe(200);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(accepted.status).toBe(200);
    expect((await requestToken()).status).toBe(429);
  });

  it('does not apply to another key of the same agent', async () => {
    const { requestToken, backend, createSession, getToken } = await setup({ sessions_per_day: 1 });
    const creation = await backend('POST', '/agent/v1/agents/test/publishable_keys', {});
    const { key } = (await creation.json()) as { key: string };
    await createSession((await getToken()).token);

    expect((await requestToken()).status).toBe(429);
    expect((await requestToken({ publishable_key: key })).status).toBe(200);
  });

  it('admits no visitor if the limit of sessions, of spending or of new visitors is 0', async () => {
    for (const quota of ['sessions_per_day', 'spend_cents_per_day', 'new_visitors_per_hour']) {
      const { requestToken } = await setup({ [quota]: 0 });

      expect((await requestToken()).status).toBe(429);
    }
  });
});
