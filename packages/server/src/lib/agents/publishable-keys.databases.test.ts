import {
  AnonymousTokenResponse,
  IssuanceRecordPage,
  PublishableKeyList,
  PublishableKeyResource,
} from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const keysPath = '/agent/v1/agents/test/publishable_keys';

async function setup(options: SetupOptions = {}) {
  const server = await setupServer(options);
  return { ...server, ...keyCalls(server) };
}

function keyCalls(
  server: Pick<
    Awaited<ReturnType<typeof setupServer>>,
    'backend' | 'requestAsPage' | 'requestAsUser'
  >,
) {
  const requestToken = (publishable_key: string, fields: object = {}) =>
    server.requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key,
      ...fields,
    });
  return {
    requestToken,
    issueAnonymous: async (key: string) =>
      AnonymousTokenResponse.parse(await (await requestToken(key)).json()),
    postKey: async (path: string, body?: object) =>
      PublishableKeyResource.parse(
        await (await server.backend('POST', `${keysPath}${path}`, body)).json(),
      ),
    list: async () =>
      PublishableKeyList.parse(await (await server.backend('GET', keysPath)).json()).data,
    codeOf: async (token: string) => {
      const response = await server.requestAsUser(token, 'GET', '/agent/v1/embed/config');
      return response.headers.get('x-service-problem-code');
    },
  };
}

describe('publishable keys', () => {
  it('are created with limits, and can be used immediately', async () => {
    const { postKey, list, issueAnonymous } = await setup();

    const creation = await postKey('', { name: 'shop', sessions_per_day: 5 });

    expect(creation).toMatchObject({
      key: expect.stringMatching(/^pk_[\w-]{22}$/),
      name: 'shop',
      status: 'active',
      declared: false,
      sessions_per_day: 5,
      spend_cents_per_day: 1000,
      new_visitors_per_hour: 30,
      budget_cents: null,
    });
    expect((await list()).map((item) => [item.key, item.declared])).toEqual([
      ['pk_test', true],
      [creation.key, false],
    ]);
    expect((await issueAnonymous(creation.key)).token).toMatch(/^et_/);
  });

  it.each<[object, string, string]>([
    [{ sessions_per_day: -1 }, '/sessions_per_day', 'must not be negative'],
    [{ spend_cents_per_day: 0.5 }, '/spend_cents_per_day', 'whole number of cents'],
    [{ new_visitors_per_hour: 'x' }, '/new_visitors_per_hour', 'whole number'],
    [{ budget_cents: -1 }, '/budget_cents', 'must not be negative'],
    [{ name: '' }, '/name', 'must not be empty'],
    [{ name: 'x'.repeat(101) }, '/name', 'at most 100'],
    [{ key: 'pk_mine' }, '', 'has no field `key`'],
    [{ allowed_origins: ['*'] }, '/allowed_origins/0', 'may use *'],
    [{ allowed_origins: ['https://evil.example'] }, '/allowed_origins/0', 'not among the origins'],
  ])('cannot be created with an invalid field: $1 $2', async (invalidFields, pointer, expected) => {
    const { backend, list } = await setup();

    const creation = await backend('POST', keysPath, invalidFields);

    expect(creation.status).toBe(400);
    expect((await problemOf(creation)).errors?.[0]).toEqual({
      pointer,
      message: expect.stringContaining(expected),
    });
    expect(await list()).toHaveLength(1);
  });

  it('can be changed only if they were created at run time', async () => {
    const { backend, postKey } = await setup();
    const creation = await postKey('', { name: 'shop', sessions_per_day: 5 });

    const changed = await postKey(`/${creation.key}`, { sessions_per_day: 6 });
    const declared = await backend('POST', `${keysPath}/pk_test`, { sessions_per_day: 6 });
    const unknownKey = await backend('POST', `${keysPath}/pk_none`, {});

    // The default limit per source address is derived from the limit of the key.
    const perSource = { sessions_per_source_per_day: 6 };
    expect(changed).toEqual({ ...creation, sessions_per_day: 6, ...perSource });
    expect(declared.status).toBe(409);
    expect((await problemOf(declared)).detail).toContain('`publishable_keys`');
    expect(unknownKey.status).toBe(404);
  });

  it('allow no origin that was removed from the policy', async () => {
    const { backend, postKey, issueAnonymous } = await setup({
      agent: { embed: { allowed_origins: [testOrigin, 'https://b.example'] } },
    });
    const creation = await postKey('', { allowed_origins: [testOrigin, 'https://b.example'] });

    await backend('POST', '/agent/v1/agents/test', { embed: { allowed_origins: [testOrigin] } });
    await issueAnonymous(creation.key);

    const list = await backend('GET', '/agent/v1/embed_tokens');
    expect(IssuanceRecordPage.parse(await list.json()).data[0]?.allowed_origins).toEqual([
      testOrigin,
    ]);
  });

  it.each(['pk_test', 'a key created at run time'])(
    'A07: revoke their tokens permanently when disabled, and issue new tokens when enabled again: %s',
    async (which) => {
      const { requestToken, codeOf, postKey, issue, issueAnonymous } = await setup();
      const key = which === 'pk_test' ? which : (await postKey('', {})).key;
      const other = (await postKey('', {})).key;
      const { token, visitor_secret } = await issueAnonymous(key);
      const others = [(await issueAnonymous(other)).token, (await issue()).token];

      const disabled = await postKey(`/${key}/disable`);
      const refused = await requestToken(key, { visitor_secret });
      const ended = await codeOf(token);
      const enabled = await postKey(`/${key}/enable`);

      expect(disabled.status).toBe('disabled');
      expect((await problemOf(refused)).code).toBe('AUTHENTICATION_ERROR');
      expect(ended).toBe('EMBED_TOKEN_REVOKED');
      expect(enabled.status).toBe('active');
      expect(await codeOf(token)).toBe('EMBED_TOKEN_REVOKED');
      expect((await requestToken(key, { visitor_secret })).status).toBe(200);
      expect(await Promise.all(others.map(codeOf))).toEqual([null, null]);
    },
  );

  it('A07: end the streams of their visitors when disabled', async () => {
    const server = await setupConversation();
    const { postKey, issueAnonymous } = keyCalls(server);
    const { token } = await issueAnonymous('pk_test');
    const created = await server.call('POST', '/sessions', {}, {}, token);
    const visitorStream = await server.follow(
      ((await created.json()) as { id: string }).id,
      {},
      token,
    );
    const other = await server.follow(await server.create('hello'));
    await other.until(isType('session.status_idle'));

    await postKey('/pk_test/disable');

    expect((await visitorStream.toEnd()).at(-1)?.data).toMatchObject({
      error: { code: 'EMBED_TOKEN_REVOKED', retry_status: { type: 'terminal' } },
    });
    expect((await server.call('GET', '/embed/config')).status).toBe(200);
  });

  it('can be rotated with an overlap, during which the old key still issues tokens', async () => {
    const { requestToken, clock, codeOf, postKey, list, issueAnonymous } = await setup();
    const { key: old } = await postKey('', { name: 'shop', sessions_per_day: 7 });
    const visitor = await issueAnonymous(old);

    const next = await postKey(`/${old}/rotate`, { overlap_seconds: 300 });
    const during = await requestToken(old);
    clock.advance(299_999);
    const beforeEnd = await codeOf(visitor.token);
    clock.advance(1);

    expect(next).toMatchObject({ name: 'shop', sessions_per_day: 7, status: 'active' });
    expect(next.key).not.toBe(old);
    expect(during.status).toBe(200);
    expect(beforeEnd).toBeNull();
    expect(await codeOf(visitor.token)).toBe('EMBED_TOKEN_REVOKED');
    expect((await requestToken(old)).status).toBe(401);
    const again = await requestToken(next.key, { visitor_secret: visitor.visitor_secret });
    expect(await again.json()).not.toHaveProperty('visitor_secret');
    expect((await list()).find((item) => item.key === old)).toMatchObject({
      status: 'ended',
      ends_at: '2026-01-15T12:05:00.000Z',
    });
  });

  it('end immediately when rotated with an overlap of 0, and keep an earlier end when rotated again', async () => {
    const { codeOf, postKey, list, issueAnonymous } = await setup();
    const { key: old } = await postKey('', {});
    const { token } = await issueAnonymous(old);

    const first = await postKey('/pk_test/rotate', { overlap_seconds: 60 });
    await postKey('/pk_test/rotate', {});
    await postKey(`/${old}/rotate`, { overlap_seconds: 0 });

    expect(await codeOf(token)).toBe('EMBED_TOKEN_REVOKED');
    const ends = Object.fromEntries((await list()).map((item) => [item.key, item.ends_at]));
    expect(ends).toMatchObject({
      pk_test: '2026-01-15T12:01:00.000Z',
      [first.key]: null,
      [old]: '2026-01-15T12:00:00.000Z',
    });
  });

  it.each([-1, 2_592_001, 1.5, '60'])(
    'cannot be rotated with an overlap of %j',
    async (overlap_seconds) => {
      const { backend } = await setup();

      const response = await backend('POST', `${keysPath}/pk_test/rotate`, { overlap_seconds });

      expect((await problemOf(response)).errors?.[0]?.pointer).toBe('/overlap_seconds');
    },
  );

  it('end the streams of their visitors when the overlap of a rotation ends', async () => {
    const server = await setupConversation({ fakeClock: true });
    const { postKey, issueAnonymous } = keyCalls(server);
    const { token } = await issueAnonymous('pk_test');
    const created = await server.call('POST', '/sessions', {}, {}, token);
    const stream = await server.follow(((await created.json()) as { id: string }).id, {}, token);
    await postKey('/pk_test/rotate', { overlap_seconds: 2 });

    server.clock.advance(2_000);

    expect((await stream.toEnd()).at(-1)?.data).toMatchObject({
      error: { code: 'EMBED_TOKEN_REVOKED' },
    });
  });

  it('revoke their tokens when deleted, and can only be deleted if they were created at run time', async () => {
    const { requestToken, backend, codeOf, postKey, list, issueAnonymous } = await setup();
    const creation = await postKey('', {});
    const { token } = await issueAnonymous(creation.key);

    const deleted = await backend('DELETE', `${keysPath}/${creation.key}`);
    const again = await backend('DELETE', `${keysPath}/${creation.key}`);
    const declared = await backend('DELETE', `${keysPath}/pk_test`);

    expect(await deleted.json()).toEqual({ type: 'publishable_key_deleted', key: creation.key });
    expect(again.status).toBe(404);
    expect(declared.status).toBe(409);
    expect(await codeOf(token)).toBe('EMBED_TOKEN_REVOKED');
    expect((await requestToken(creation.key)).status).toBe(401);
    expect((await list()).map((item) => item.key)).toEqual(['pk_test']);
  });

  it('do not make earlier tokens valid when they are removed from the settings and added again', async () => {
    const { backend, codeOf, issueAnonymous } = await setup();
    const { token } = await issueAnonymous('pk_test');

    await backend('POST', '/agent/v1/agents/test', { publishable_keys: [] });
    await backend('POST', '/agent/v1/agents/test', { publishable_keys: [{ key: 'pk_test' }] });

    expect(await codeOf(token)).toBe('EMBED_TOKEN_REVOKED');
    expect((await issueAnonymous('pk_test')).token).toMatch(/^et_/);
  });

  it('belong to one agent each, even if two processes declare the same key at the same time', async () => {
    const first = await setup();
    const second = await setup({ sharedStore: first.store, seed: 'second' });
    const create = (server: typeof first, short_id: string, key: string) =>
      server.backend('POST', '/agent/v1/agents', {
        short_id,
        name: short_id,
        model: { provider: 'scripted' },
        embed: { allowed_origins: [testOrigin] },
        publishable_keys: [{ key }],
      });
    const declare = (server: typeof first, agent: string, key: string) =>
      server.backend('POST', `/agent/v1/agents/${agent}`, { publishable_keys: [{ key }] });
    const { key: keyOfFirst } = await first.postKey('', {});
    await create(second, 'other', 'pk_other');

    const created = await Promise.all([create(first, 'a', 'pk_a'), create(second, 'b', 'pk_a')]);
    const changed = await Promise.all([
      declare(first, 'test', 'pk_new'),
      declare(second, 'other', 'pk_new'),
    ]);
    const unloaded = await declare(second, 'other', keyOfFirst);

    for (const pair of [created, changed]) {
      expect(pair.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    }
    for (const response of [...created, ...changed, unloaded]) {
      if (response.status === 200) continue;
      expect((await problemOf(response)).errors).toEqual([
        { pointer: '/publishable_keys/0/key', message: 'is taken already' },
      ]);
    }
    expect(unloaded.status).toBe(400);
  });

  it('can be declared again by their own agent, and by another agent after their removal', async () => {
    const { backend, postKey } = await setup();
    const { key } = await postKey('', {});
    const declare = async (...keys: string[]) => {
      const publishable_keys = keys.map((each) => ({ key: each }));
      return (await backend('POST', '/agent/v1/agents/test', { publishable_keys })).status;
    };
    await backend('POST', '/agent/v1/agents', {
      short_id: 'other',
      name: 'Other',
      instructions: 'Mention "pk_mentioned".',
      model: { provider: 'scripted' },
      embed: { allowed_origins: [testOrigin] },
      publishable_keys: [{ key: 'pk_other' }],
    });

    expect(await declare('pk_test', key, 'pk_mentioned')).toBe(200);
    expect(await declare('pk_test', key, 'pk_other')).toBe(400);
    await backend('POST', '/agent/v1/agents/other', { publishable_keys: [] });
    expect(await declare('pk_test', key, 'pk_other')).toBe(200);
  });

  it('can be declared in a process that does not know yet that another process removed them', async () => {
    const first = await setup();
    const second = await setup({ sharedStore: first.store, seed: 'second' });
    const { key: createdKey } = await first.postKey('', {});
    await second.backend('POST', '/agent/v1/agents', {
      short_id: 'other',
      name: 'Other',
      model: { provider: 'scripted' },
      embed: { allowed_origins: [testOrigin] },
    });
    const publishable_keys = [{ key: 'pk_test' }, { key: createdKey }];
    const declare = () => second.backend('POST', '/agent/v1/agents/other', { publishable_keys });

    const before = await declare();
    await first.backend('POST', '/agent/v1/agents/test', { publishable_keys: [] });
    await first.backend('DELETE', `${keysPath}/${createdKey}`);
    const after = await declare();

    expect((await problemOf(before)).errors?.map(({ pointer }) => pointer)).toEqual([
      '/publishable_keys/0/key',
      '/publishable_keys/1/key',
    ]);
    expect(after.status).toBe(200);
  });

  it('can be declared although an agent had them that is no longer in the configuration file', async () => {
    const data = temporaryFolder();
    const earlier = await setup({ data, agent: { short_id: 'earlier' } });
    await earlier.backend('POST', '/agent/v1/agents/earlier', {
      publishable_keys: [{ key: 'pk_old' }],
    });
    await earlier.close();
    const { backend } = await setup({ data, seed: 'later' });

    const response = await backend('POST', '/agent/v1/agents/test', {
      publishable_keys: [{ key: 'pk_old' }],
    });

    expect(response.status).toBe(200);
  });

  it('can be declared as disabled, or with an end time', async () => {
    const { requestToken, clock } = await setup({
      agent: {
        publishable_keys: [
          { key: 'pk_off', disabled: true },
          { key: 'pk_ending', ends_at: '2026-01-15T12:01:00Z' },
        ],
      },
    });

    expect((await requestToken('pk_off')).status).toBe(401);
    expect((await requestToken('pk_ending')).status).toBe(200);
    clock.advance(60_000);
    expect((await requestToken('pk_ending')).status).toBe(401);
  });

  it('A07: are disabled in other processes immediately, even without a bus message', async () => {
    const firstServer = await setup();
    const secondServer = await setup({ sharedStore: firstServer.store, seed: 'second' });
    const { token } = await firstServer.issueAnonymous('pk_test');
    expect(await secondServer.codeOf(token)).toBeNull();

    await firstServer.postKey('/pk_test/disable');

    expect(await secondServer.codeOf(token)).toBe('EMBED_TOKEN_REVOKED');
    expect((await secondServer.requestToken('pk_test')).status).toBe(401);
  });

  it('A07: end streams in other processes within two seconds of being disabled, even without a bus message', async () => {
    const firstServer = await setup();
    const secondServer = await setupConversation({
      sharedStore: firstServer.store,
      seed: 'second',
      fakeClock: true,
    });
    const { token } = await keyCalls(secondServer).issueAnonymous('pk_test');
    const created = await secondServer.call('POST', '/sessions', {}, {}, token);
    const stream = await secondServer.follow(
      ((await created.json()) as { id: string }).id,
      {},
      token,
    );

    await firstServer.postKey('/pk_test/disable');
    secondServer.clock.advance(2_000);

    expect((await stream.toEnd()).at(-1)?.data).toMatchObject({
      error: { code: 'EMBED_TOKEN_REVOKED' },
    });
  });
});
