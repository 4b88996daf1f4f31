import { AgentResource, AnonymousTokenResponse, EmbedConfig } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import type { Store } from '../store/store.ts';
import { problemOf } from '../testing/problem-of.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';
import { openTestStore } from '../testing/test-store.ts';

const path = '/agent/v1/agents/test';

describe('agents', () => {
  it('can be read by id and by short id, and are listed', async () => {
    const { backend } = await setupServer();

    const byShortId = AgentResource.parse(await (await backend('GET', path)).json());
    const byId = AgentResource.parse(
      await (await backend('GET', `/agent/v1/agents/${byShortId.id}`)).json(),
    );

    expect(byShortId.id).toMatch(/^agt_/);
    expect(byId).toEqual(byShortId);
    expect((await backend('GET', '/agent/v1/agents/none')).status).toBe(404);
    expect(await (await backend('GET', '/agent/v1/agents')).json()).toMatchObject({
      data: [{ short_id: 'test' }],
      next_page: null,
    });
  });

  it('use the new values of an update immediately, and keep omitted fields', async () => {
    const { backend, requestAsUser, issue } = await setupServer();
    const { token } = await issue();

    const response = await backend('POST', path, {
      model: { fail: true },
      appearance: { greeting: 'Moin!' },
      embed: { default_ttl_seconds: 120 },
    });

    expect(AgentResource.parse(await response.json())).toMatchObject({
      model: { provider: 'scripted', fail: true, delay_ms: 0 },
      embed: { default_ttl_seconds: 120, allowed_origins: [testOrigin] },
    });
    const embedConfig = EmbedConfig.parse(
      await (await requestAsUser(token, 'GET', '/agent/v1/embed/config')).json(),
    );
    expect(embedConfig.greeting).toBe('Moin!');
    expect((await issue()).expires_at).toBe('2026-01-15T12:02:00.000Z');
  });

  it.each<[object, string, string]>([
    [{ modell: {} }, '', '`modell`'],
    [{ model: { delay: 1 } }, '/model', '`delay`'],
    [{ embed: { default_ttl_seconds: 10 } }, '/embed/default_ttl_seconds', '60'],
    [{ embed: { allowed_origins: ['*'] } }, '/embed/allowed_origins/0', 'may use *'],
    [
      { embed: { default_ttl_seconds: 900, max_ttl_seconds: 600 } },
      '/embed/default_ttl_seconds',
      'max_ttl',
    ],
    [
      { model: { provider: 'openai-compatible', base_url: 'nowhere', model: 'm' } },
      '/model/base_url',
      'address',
    ],
  ])(
    'are not changed by the invalid update %j, which causes a 400 that names the field',
    async (changes, pointer, expectedText) => {
      const { backend } = await setupServer();
      const before = await (await backend('GET', path)).json();

      const response = await backend('POST', path, changes);

      expect(response.status).toBe(400);
      const [error] = (await problemOf(response)).errors ?? [];
      expect(error).toMatchObject({ pointer, message: expect.stringContaining(expectedText) });
      expect(await (await backend('GET', path)).json()).toEqual(before);
    },
  );

  it('revoke the token of a user who is added to the blocklist, and issue tokens to a user who is removed from it', async () => {
    const { backend, requestAsUser, issue } = await setupServer();
    const { token } = await issue('eve');

    await backend('POST', path, { embed: { blocked_end_users: ['eve'] } });
    const refused = await requestAsUser(token, 'GET', '/agent/v1/embed/config');
    await backend('POST', path, { embed: { blocked_end_users: [] } });

    expect(refused.status).toBe(401);
    expect((await issue('eve')).token).toMatch(/^et_/);
  });

  it('revoke tokens in the transaction that blocks their user or removes their publishable key', async () => {
    const store = await openTestStore(createLogger(Date.now, () => {}));
    let state: 'alive' | 'dying' | 'dead' = 'alive';
    const transact: (on: Store['priority']) => Store['transaction'] = (on) => async (work) => {
      if (state === 'dead') throw new Error('the process has died');
      const result = await on.transaction(work);
      if (state === 'dying') state = 'dead';
      return result;
    };
    /** The store of a process that dies after its next transaction. */
    const dyingStore: Store = {
      ...store,
      transaction: transact(store),
      priority: { ...store.priority, transaction: transact(store.priority) },
    };
    const living = await setupServer({ sharedStore: store });
    const dying = await setupServer({ sharedStore: dyingStore, seed: 'dying' });
    const { token } = await living.issue('eve');
    const anonymous = await living.requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: 'pk_test',
    });
    const visitor = AnonymousTokenResponse.parse(await anonymous.json());

    state = 'dying';
    await dying.backend('POST', path, {
      publishable_keys: [],
      embed: { blocked_end_users: ['eve'] },
    });
    expect(state).toBe('dead');
    await living.backend('POST', path, {
      publishable_keys: [{ key: 'pk_test' }],
      embed: { blocked_end_users: [] },
    });

    for (const earlier of [token, visitor.token]) {
      const { headers } = await living.requestAsUser(earlier, 'GET', '/agent/v1/embed/config');
      expect(headers.get('x-service-problem-code')).toBe('EMBED_TOKEN_REVOKED');
    }
  });

  it('keep the changes of all simultaneous updates', async () => {
    const { backend } = await setupServer();

    await Promise.all([
      backend('POST', path, { name: 'Ines' }),
      backend('POST', path, { model: { fail: true } }),
      backend('POST', path, { appearance: { greeting: 'Moin!' } }),
      backend('POST', path, { appearance: { disclaimer: 'Beware' } }),
    ]);

    expect(AgentResource.parse(await (await backend('GET', path)).json())).toMatchObject({
      name: 'Ines',
      model: { fail: true },
      appearance: { greeting: 'Moin!', disclaimer: 'Beware' },
    });
  });

  it('are returned without the API key of their model', async () => {
    const { backend } = await setupServer({
      agent: {
        model: {
          provider: 'openai-compatible',
          base_url: 'http://127.0.0.1:9/v1',
          model: 'm',
          api_key_env: 'THE_KEY',
        },
      },
      secrets: { THE_KEY: 'sk-the-value' },
    });

    expect(await (await backend('GET', path)).text()).not.toContain('sk-the-value');
  });
});
