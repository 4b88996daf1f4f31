import { AnonymousTokenResponse, EmbedConfig, Problem } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';

const path = '/agent/v1/embed_tokens/anonymous';

async function setup(key: object = {}, options: SetupOptions = {}) {
  const server = await setupServer({
    ...options,
    agent: { publishable_keys: [{ key: 'pk_test', ...key }], ...options.agent },
  });
  const ask = (fields: object = {}, headers = {}) =>
    server.page('POST', path, { publishable_key: 'pk_test', ...fields }, headers);
  return {
    ...server,
    ask,
    async visit(fields: object = {}) {
      return AnonymousTokenResponse.parse(await (await ask(fields)).json());
    },
    async userOf(token: string) {
      const response = await server.endUser(token, 'GET', '/agent/v1/embed/config');
      return EmbedConfig.parse(await response.json()).token.external_user_id;
    },
  };
}

const problemOf = async (response: Response) => Problem.parse(await response.json());

describe('POST /embed_tokens/anonymous', () => {
  it('makes a new visitor, with a secret', async () => {
    const { visit, userOf } = await setup();

    const visitor = await visit();

    expect(visitor.visitor_secret).toMatch(/^vs_[\w-]{43}$/);
    expect(await userOf(visitor.token)).toMatch(/^anon_/);
  });

  it('A01: one secret in three tabs at once is one visitor with three tokens', async () => {
    const { visit, userOf } = await setup();
    const { visitor_secret, token } = await visit();

    const tabs = await Promise.all([1, 2, 3].map(() => visit({ visitor_secret })));

    const users = await Promise.all([token, ...tabs.map((tab) => tab.token)].map(userOf));
    expect(new Set(users).size).toBe(1);
    expect(tabs.map((tab) => tab.visitor_secret)).toEqual([undefined, undefined, undefined]);
  });

  it.each([['vs_unknown'], [''], ['x'.repeat(5000)], [7], [null], [{ a: 1 }]])(
    'A03: the secret %j makes a new visitor, never an error',
    async (visitor_secret) => {
      const { visit } = await setup();

      expect((await visit({ visitor_secret })).visitor_secret).toMatch(/^vs_/);
    },
  );

  it('A05: the 31st new visitor of an address in an hour waits, and returning ones do not count', async () => {
    const { ask, visit, clock } = await setup();
    const first = await visit();
    for (let n = 2; n <= 30; n += 1) await visit();

    const refused = await ask();
    const returning = await ask({ visitor_secret: first.visitor_secret });

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect((await problemOf(refused)).code).toBe('RATE_LIMITED');
    expect(returning.status).toBe(200);
    clock.advance(3_600_000);
    expect((await ask()).status).toBe(200);
  });

  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://app.example.com' }],
  ])('A06: refuses a page of %j', async (headers) => {
    const { ask } = await setup();

    const response = await ask({}, headers);

    expect(response.status).toBe(403);
    expect((await problemOf(response)).code).toBe('EMBED_ORIGIN_NOT_ALLOWED');
  });

  it('A06: refuses a request that names no origin', async () => {
    const { app } = await setup();

    const response = await app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"publishable_key":"pk_test"}',
    });

    expect(response.status).toBe(403);
  });

  it('A07: a key that is gone ends the tokens it gave', async () => {
    const { backend, endUser, visit, ask } = await setup();
    const { token } = await visit();

    await backend('POST', '/agent/v1/agents/test', { publishable_keys: [{ key: 'pk_next' }] });

    const refused = await endUser(token, 'GET', '/agent/v1/embed/config');
    expect((await problemOf(refused)).code).toBe('EMBED_TOKEN_REVOKED');
    expect((await ask()).status).toBe(401);
  });

  it('keeps a visitor when the key is replaced by another', async () => {
    const { backend, visit, userOf } = await setup();
    const before = await visit();
    const user = await userOf(before.token);

    await backend('POST', '/agent/v1/agents/test', { publishable_keys: [{ key: 'pk_next' }] });
    const after = await visit({
      publishable_key: 'pk_next',
      visitor_secret: before.visitor_secret,
    });

    expect(await userOf(after.token)).toBe(user);
  });

  it.each(['external_user_id', 'agent_override', 'budget_cents', 'hosted', 'system_message'])(
    'refuses %s, which only a backend may set',
    async (field) => {
      const { ask } = await setup();

      const response = await ask({ [field]: 'x' });

      expect(response.status).toBe(403);
      expect(await problemOf(response)).toMatchObject({
        code: 'EMBED_FIELD_NOT_ALLOWED',
        detail: expect.stringContaining(`\`${field}\``),
      });
    },
  );

  it('refuses a visitor whom the host blocked', async () => {
    const { ask, backend, visit, userOf } = await setup();
    const { token, visitor_secret } = await visit();

    await backend('POST', `/agent/v1/agents/test/end_users/${await userOf(token)}/block`);

    expect((await problemOf(await ask({ visitor_secret }))).code).toBe('EMBED_USER_BLOCKED');
  });
});
