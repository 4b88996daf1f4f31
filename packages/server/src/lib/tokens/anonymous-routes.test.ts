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

  it('A03: a secret that is nearly right is answered like no secret at all', async () => {
    const { ask, store, visit, userOf } = await setup();
    const { visitor_secret: secret = '', token } = await visit();
    const tampered = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');

    const answers = [await ask(), await ask({ visitor_secret: tampered })];
    const bodies = await Promise.all(answers.map(async (answer) => answer.json()));

    const shape = { token: expect.any(String), expires_at: expect.any(String) };
    for (const [index, body] of bodies.entries()) {
      expect(answers[index]?.status).toBe(200);
      expect(body).toEqual({ ...shape, visitor_secret: expect.stringMatching(/^vs_/) });
      const visitor = AnonymousTokenResponse.parse(body);
      expect(visitor.visitor_secret).not.toBe(secret);
      expect(await userOf(visitor.token)).not.toBe(await userOf(token));
    }
    // What is looked up is a hash: how long that takes tells nothing of the secret.
    const rows = await store.db.selectFrom('visitors').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret.slice(3, 20));
  });

  it('A04: two tabs of a first visit are two visitors, and each stays who it is', async () => {
    const { visit, userOf } = await setup();

    const tabs = await Promise.all([visit(), visit()]);

    const users = await Promise.all(tabs.map(({ token }) => userOf(token)));
    expect(new Set(users).size).toBe(2);
    for (let round = 0; round < 3; round++) {
      const again = await Promise.all(tabs.map(({ visitor_secret }) => visit({ visitor_secret })));
      expect(await Promise.all(again.map(({ token }) => userOf(token)))).toEqual(users);
      expect(again.map(({ visitor_secret }) => visitor_secret)).toEqual([undefined, undefined]);
    }
  });

  it('A05: the 31st new visitor of an address in an hour waits, and returning ones do not count', async () => {
    const { ask, visit, clock } = await setup();
    const first = await visit();
    await Promise.all(Array.from({ length: 29 }, () => visit()));

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

  it('A08: signing in merges nothing: neither sees what the other said', async () => {
    const { endUser, issue, visit, userOf } = await setup();
    const { token, visitor_secret } = await visit();
    const create = async (as: string) => {
      const response = await endUser(as, 'POST', '/agent/v1/sessions', {});
      return ((await response.json()) as { id: string }).id;
    };
    const list = async (as: string) => {
      const response = await endUser(as, 'GET', '/agent/v1/sessions?include_archived=true');
      return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    const asked = await create(token);

    const signedIn = (await issue('ada')).token;
    const said = await create(signedIn);
    const before = (await visit({ visitor_secret })).token;

    expect(await userOf(before)).toBe(await userOf(token));
    for (const visitor of [token, before]) {
      expect(await list(visitor)).toEqual([asked]);
      for (const path of ['', '/events', '/events?after_seq=0&wait=25']) {
        const theirs = await endUser(visitor, 'GET', `/agent/v1/sessions/${said}${path}`);
        expect(theirs.status).toBe(404);
      }
    }
    expect(await list(signedIn)).toEqual([said]);
    expect((await endUser(signedIn, 'GET', `/agent/v1/sessions/${asked}`)).status).toBe(404);
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

  it('refuses a visitor whom the host blocked', async () => {
    const { ask, backend, visit, userOf } = await setup();
    const { token, visitor_secret } = await visit();

    await backend('POST', `/agent/v1/agents/test/end_users/${await userOf(token)}/block`);

    expect((await problemOf(await ask({ visitor_secret }))).code).toBe('EMBED_USER_BLOCKED');
  });
});
