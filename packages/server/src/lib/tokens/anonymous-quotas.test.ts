import { AnonymousTokenResponse, EmbedConfig, Problem } from '@inlay/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';

const path = '/agent/v1/embed_tokens/anonymous';

async function setup(key: object = {}, options: SetupOptions = {}) {
  const server = await setupServer({
    ...options,
    agent: { publishable_keys: [{ key: 'pk_test', ...key }] },
  });
  onTestFinished(() => server.close());
  const { endUser, page } = server;
  const ask = (fields: object = {}, headers = {}) =>
    page('POST', path, { publishable_key: 'pk_test', ...fields }, headers);
  return {
    ...server,
    ask,
    from: (address: string) => ask({}, { 'x-forwarded-for': address }),
    visit: async (fields: object = {}) =>
      AnonymousTokenResponse.parse(await (await ask(fields)).json()),
    begin: (token: string) =>
      endUser(token, 'POST', '/agent/v1/sessions', { initial_events: [message('Hello')] }),
    async userOf(token: string) {
      const response = await endUser(token, 'GET', '/agent/v1/embed/config');
      return EmbedConfig.parse(await response.json()).token.external_user_id;
    },
    today: () => server.store.db.selectFrom('publishable_key_days').selectAll().execute(),
  };
}

const codeOf = async (response: Response) => Problem.parse(await response.json()).code;
const statusesOf = (answers: Response[]) => answers.map(({ status }) => status);

describe('§4.3: new visitors of one source', () => {
  const oneAnHour = { new_visitors_per_hour: 1 };
  const behindOne = { config: { trusted_proxies: 1 } };

  it('A09: are counted by what our own proxy noted, whatever the client wrote before', async () => {
    const { from } = await setup(oneAnHour, behindOne);

    const answers = [
      await from('203.0.113.7'),
      await from('198.51.100.1, 203.0.113.7'),
      await from('203.0.113.8, 203.0.113.7:4711'),
      await from('203.0.113.7, 203.0.113.8'),
    ];

    expect(statusesOf(answers)).toEqual([200, 429, 429, 200]);
  });

  it('A09: are counted together for all of an IPv6 /64', async () => {
    const { from } = await setup(oneAnHour, behindOne);

    const answers = [
      await from('2001:db8:0:1::1'),
      await from('2001:db8:0:1:ffff:ffff:ffff:ffff'),
      await from('2001:db8:0:2::1'),
    ];

    expect(statusesOf(answers)).toEqual([200, 429, 200]);
  });

  it('A09: are not told apart by a header that no proxy of ours writes', async () => {
    const { from } = await setup(oneAnHour);

    const answers = [await from('203.0.113.7'), await from('203.0.113.8')];

    expect(statusesOf(answers)).toEqual([200, 429]);
  });

  it('A05: are let in exactly as often as the key says, however many come at once', async () => {
    const { ask } = await setup({ new_visitors_per_hour: 3 });

    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));

    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(3);
  });
});

describe('§4.3: visitors', () => {
  it('A04: of many tabs at once are who they are, with or without a secret', async () => {
    const { visit, userOf } = await setup();
    const { visitor_secret, token } = await visit();

    const known = await Promise.all(Array.from({ length: 6 }, () => visit({ visitor_secret })));
    const fresh = await Promise.all(Array.from({ length: 6 }, () => visit()));

    const users = await Promise.all([token, ...known.map((tab) => tab.token)].map(userOf));
    expect(new Set(users).size).toBe(1);
    const others = await Promise.all(fresh.map((tab) => userOf(tab.token)));
    expect(new Set([...others, ...users]).size).toBe(7);
    expect(new Set(fresh.map((tab) => tab.visitor_secret)).size).toBe(6);
  });

  it('get as many tokens in an hour as the key says, and others get theirs', async () => {
    const { ask, clock, visit } = await setup({ refreshes_per_visitor_per_hour: 3 });
    const { visitor_secret } = await visit();
    const other = await visit();

    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await ask({ visitor_secret }));

    expect(statusesOf(answers)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[4]?.headers.get('retry-after')).toBe('3600');
    expect((await ask({ visitor_secret: other.visitor_secret })).status).toBe(200);
    clock.advance(3_600_000);
    expect((await ask({ visitor_secret })).status).toBe(200);
  });

  it('A03: with the secret of another agent’s visitor are new ones, and are not told why', async () => {
    const { backend, page, visit, userOf } = await setup();
    const { visitor_secret, token } = await visit();
    await backend('POST', '/agent/v1/agents', {
      short_id: 'other',
      name: 'Other',
      model: { provider: 'scripted' },
      embed: { allowed_origins: [testOrigin] },
    });
    const made = await backend('POST', '/agent/v1/agents/other/publishable_keys', {});
    const { key: publishable_key } = (await made.json()) as { key: string };

    const foreign = await page('POST', path, { publishable_key, visitor_secret });
    const fresh = await page('POST', path, { publishable_key });

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
  ])('§4.3 rule 3: cannot say %s, with any value', async (field) => {
    const { ask } = await setup();

    for (const value of [null, 'x', 60]) {
      const refused = await ask({ [field]: value });
      expect(refused.status).toBe(403);
      expect(Problem.parse(await refused.json())).toMatchObject({
        code: 'EMBED_FIELD_NOT_ALLOWED',
        errors: [{ pointer: `/${field}`, message: 'cannot be set with a publishable key' }],
      });
    }
  });

  it.each([[7], [''], [null], [{ key: 'pk_test' }]])(
    '§4.3: need a key that is a text, and %j is none',
    async (publishable_key) => {
      const { ask } = await setup();

      const response = await ask({ publishable_key });

      expect(Problem.parse(await response.json()).errors?.[0]?.pointer).toBe('/publishable_key');
    },
  );
});

describe('§4.3 rule 4: the day of a publishable key', () => {
  const untilMidnight = 12 * 3_600_000;

  it('counts sessions that are begun, and no visitor and no refresh', async () => {
    const { begin, today, visit } = await setup();
    const { token, visitor_secret } = await visit();
    for (let n = 0; n < 5; n += 1) await visit({ visitor_secret });
    const before = await today();

    await begin(token);
    await visit({ visitor_secret });

    expect(before).toEqual([]);
    expect(await today()).toMatchObject([{ publishable_key: 'pk_test', sessions: 1 }]);
  });

  it('ends with the last millisecond of the UTC day, and not before', async () => {
    const { ask, begin, clock, visit } = await setup({ sessions_per_day: 1 });
    const { token, visitor_secret } = await visit();
    await begin(token);

    clock.advance(untilMidnight - 1);
    const newcomer = await ask();
    const returning = await ask({ visitor_secret });
    const { token: refreshed } = AnonymousTokenResponse.parse(await returning.json());
    const refused = await begin(refreshed);
    clock.advance(1);
    const begun = await begin(refreshed);

    expect(newcomer.status).toBe(429);
    expect(newcomer.headers.get('retry-after')).toBe('1');
    expect(await codeOf(newcomer)).toBe('EMBED_QUOTA_EXCEEDED');
    expect(returning.status).toBe(200);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(begun.status).toBe(200);
    expect((await ask()).status).toBe(429);
  });

  it('belongs to one key: another of the same agent has its own', async () => {
    const { ask, backend, begin, visit } = await setup({ sessions_per_day: 1 });
    const made = await backend('POST', '/agent/v1/agents/test/publishable_keys', {});
    const { key } = (await made.json()) as { key: string };
    await begin((await visit()).token);

    expect((await ask()).status).toBe(429);
    expect((await ask({ publishable_key: key })).status).toBe(200);
  });

  it('lets nobody in whose cap is 0', async () => {
    for (const cap of ['sessions_per_day', 'spend_cents_per_day', 'new_visitors_per_hour']) {
      const { ask } = await setup({ [cap]: 0 });

      expect((await ask()).status).toBe(429);
    }
  });
});
