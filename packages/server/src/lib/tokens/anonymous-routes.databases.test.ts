import { AnonymousTokenResponse, EmbedConfig } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';

const path = '/agent/v1/embed_tokens/anonymous';

async function setup(key: object = {}, options: SetupOptions = {}) {
  const server = await setupServer({
    ...options,
    agent: { publishable_keys: [{ key: 'pk_test', ...key }], ...options.agent },
  });
  const requestToken = (fields: object = {}, headers = {}) =>
    server.requestAsPage('POST', path, { publishable_key: 'pk_test', ...fields }, headers);
  return {
    ...server,
    requestToken,
    async getToken(fields: object = {}) {
      return AnonymousTokenResponse.parse(await (await requestToken(fields)).json());
    },
    async userOf(token: string) {
      const response = await server.requestAsUser(token, 'GET', '/agent/v1/embed/config');
      return EmbedConfig.parse(await response.json()).token.external_user_id;
    },
  };
}

describe('POST /embed_tokens/anonymous', () => {
  it('creates a new visitor with a secret', async () => {
    const { getToken, userOf } = await setup();

    const visitor = await getToken();

    expect(visitor.visitor_secret).toMatch(/^vs_[\w-]{43}$/);
    expect(await userOf(visitor.token)).toMatch(/^anon_/);
  });

  it('A01: returns tokens of the same visitor to three tabs with the same secret', async () => {
    const { getToken, userOf } = await setup();
    const { visitor_secret, token } = await getToken();

    const tabs = await Promise.all([1, 2, 3].map(() => getToken({ visitor_secret })));

    const users = await Promise.all([token, ...tabs.map((tab) => tab.token)].map(userOf));
    expect(new Set(users).size).toBe(1);
    expect(tabs.map((tab) => tab.visitor_secret)).toEqual([undefined, undefined, undefined]);
  });

  it.each([['vs_unknown'], [''], ['x'.repeat(5000)], [7], [null], [{ a: 1 }]])(
    'A03: creates a new visitor instead of returning an error for the invalid secret $0',
    async (visitor_secret) => {
      const { getToken } = await setup();

      expect((await getToken({ visitor_secret })).visitor_secret).toMatch(/^vs_/);
    },
  );

  it('A03: responds to an almost correct secret as to a missing one', async () => {
    const { requestToken, store, getToken, userOf } = await setup();
    const { visitor_secret: secret = '', token } = await getToken();
    const tampered = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');

    const responses = [await requestToken(), await requestToken({ visitor_secret: tampered })];
    const bodies = await Promise.all(responses.map(async (response) => response.json()));

    const shape = { token: expect.any(String), expires_at: expect.any(String) };
    for (const [index, body] of bodies.entries()) {
      expect(responses[index]?.status).toBe(200);
      expect(body).toEqual({ ...shape, visitor_secret: expect.stringMatching(/^vs_/) });
      const visitor = AnonymousTokenResponse.parse(body);
      expect(visitor.visitor_secret).not.toBe(secret);
      expect(await userOf(visitor.token)).not.toBe(await userOf(token));
    }
    // The lookup is by hash, so that its duration reveals nothing about the secret.
    const rows = await store.db.selectFrom('visitors').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret.slice(3, 20));
  });

  it('A04: creates two visitors, who keep their identity, for two tabs without a secret', async () => {
    const { getToken, userOf } = await setup();

    const tabs = await Promise.all([getToken(), getToken()]);

    const users = await Promise.all(tabs.map(({ token }) => userOf(token)));
    expect(new Set(users).size).toBe(2);
    for (let round = 0; round < 3; round++) {
      const again = await Promise.all(
        tabs.map(({ visitor_secret }) => getToken({ visitor_secret })),
      );
      expect(await Promise.all(again.map(({ token }) => userOf(token)))).toEqual(users);
      expect(again.map(({ visitor_secret }) => visitor_secret)).toEqual([undefined, undefined]);
    }
  });

  it('A05: rejects the 31st new visitor from an address in an hour, but not a returning visitor', async () => {
    const { requestToken, getToken, clock } = await setup();
    const first = await getToken();
    await Promise.all(Array.from({ length: 29 }, () => getToken()));

    const refused = await requestToken();
    const returning = await requestToken({ visitor_secret: first.visitor_secret });

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect((await problemOf(refused)).code).toBe('RATE_LIMITED');
    expect(returning.status).toBe(200);
    clock.advance(3_600_000);
    expect((await requestToken()).status).toBe(200);
  });

  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://app.example.com' }],
  ])('A06: rejects a page with the header %j', async (headers) => {
    const { requestToken } = await setup();

    const response = await requestToken({}, headers);

    expect(response.status).toBe(403);
    expect((await problemOf(response)).code).toBe('EMBED_ORIGIN_NOT_ALLOWED');
  });

  it('A06: rejects a request without an `Origin` header', async () => {
    const { app } = await setup();

    const response = await app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"publishable_key":"pk_test"}',
    });

    expect(response.status).toBe(403);
  });

  it('A07: rejects a removed key, and the tokens that were issued with it', async () => {
    const { backend, requestAsUser, getToken, requestToken } = await setup();
    const { token } = await getToken();

    await backend('POST', '/agent/v1/agents/test', { publishable_keys: [{ key: 'pk_next' }] });

    const refused = await requestAsUser(token, 'GET', '/agent/v1/embed/config');
    expect((await problemOf(refused)).code).toBe('EMBED_TOKEN_REVOKED');
    expect((await requestToken()).status).toBe(401);
  });

  it('A08: gives a visitor no access to the sessions of a signed-in user, nor the other way round', async () => {
    const { requestAsUser, issue, getToken, userOf } = await setup();
    const { token, visitor_secret } = await getToken();
    const create = async (userToken: string) => {
      const response = await requestAsUser(userToken, 'POST', '/agent/v1/sessions', {});
      return ((await response.json()) as { id: string }).id;
    };
    const list = async (userToken: string) => {
      const response = await requestAsUser(
        userToken,
        'GET',
        '/agent/v1/sessions?include_archived=true',
      );
      return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    const anonymousSession = await create(token);

    const signedIn = (await issue('ada')).token;
    const signedInSession = await create(signedIn);
    const refreshed = (await getToken({ visitor_secret })).token;

    expect(await userOf(refreshed)).toBe(await userOf(token));
    for (const visitorToken of [token, refreshed]) {
      expect(await list(visitorToken)).toEqual([anonymousSession]);
      for (const path of ['', '/events', '/events?after_seq=0&wait=25']) {
        const response = await requestAsUser(
          visitorToken,
          'GET',
          `/agent/v1/sessions/${signedInSession}${path}`,
        );
        expect(response.status).toBe(404);
      }
    }
    expect(await list(signedIn)).toEqual([signedInSession]);
    expect(
      (await requestAsUser(signedIn, 'GET', `/agent/v1/sessions/${anonymousSession}`)).status,
    ).toBe(404);
  });

  it('recognizes a visitor after the publishable key was replaced', async () => {
    const { backend, getToken, userOf } = await setup();
    const before = await getToken();
    const user = await userOf(before.token);

    await backend('POST', '/agent/v1/agents/test', { publishable_keys: [{ key: 'pk_next' }] });
    const after = await getToken({
      publishable_key: 'pk_next',
      visitor_secret: before.visitor_secret,
    });

    expect(await userOf(after.token)).toBe(user);
  });

  it('rejects a blocked visitor', async () => {
    const { requestToken, backend, getToken, userOf } = await setup();
    const { token, visitor_secret } = await getToken();

    await backend('POST', `/agent/v1/agents/test/end_users/${await userOf(token)}/block`);

    expect((await problemOf(await requestToken({ visitor_secret }))).code).toBe(
      'EMBED_USER_BLOCKED',
    );
  });
});
