import { EmbedPolicyCheck } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { hourMs } from '../clock.ts';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';

const configPath = '/agent/v1/embed/config';
const otherOrigin = 'https://other.example.com';

async function setup({ agent, ...options }: SetupOptions = {}) {
  const server = await setupServer({
    ...options,
    agent: {
      model: { provider: 'scripted', delay_ms: 0, first_delay_ms: 60_000 },
      ...agent,
    },
  });
  return {
    ...server,
    /** Requests the configuration as a page of an origin. */
    openPage: (token: string, origin: string) =>
      server.requestAsUser(token, 'GET', configPath, undefined, { origin }),
    async check(embed: object | null): Promise<EmbedPolicyCheck> {
      const response = await server.backend('POST', '/agent/v1/agents/test/embed/check', { embed });
      expect(response.status).toBe(200);
      return EmbedPolicyCheck.parse(await response.json());
    },
  };
}

describe('POST /agents/{id}/embed/check', () => {
  it('counts the users, tokens and running answers that new blocks would end, and ends none', async () => {
    const { backend, check, issue, openPage, requestAsUser } = await setup();
    const { token } = await issue('ada');
    await issue('ada');
    await issue('bob');
    await backend('POST', '/agent/v1/agents/test/end_users/carol/block');
    await requestAsUser(token, 'POST', '/agent/v1/sessions', { initial_events: [message('Hi')] });

    const { ends } = await check({ blocked_end_users: ['ada', 'carol', 'eve'] });

    expect(ends).toEqual({ users: 2, tokens: 2, running_sessions: 1 });
    expect((await check({})).ends).toEqual({ users: 0, tokens: 0, running_sessions: 0 });
    expect((await openPage(token, testOrigin)).status).toBe(200);
    const agent = await (await backend('GET', '/agent/v1/agents/test')).json();
    expect(agent).toMatchObject({ embed: { blocked_end_users: ['carol'] } });
  });

  it('counts the live tokens that go beyond the changed policy, by setting', async () => {
    const { check, clock, issue } = await setup({
      agent: {
        embed: { allowed_origins: [testOrigin, otherOrigin], allow_agent_override: true },
      },
      config: { prices: {} },
    });
    await issue('expired', { ttl_seconds: 60 });
    clock.advance(60_000);
    const own = { allowed_origins: [testOrigin] };
    await issue('ada', own);
    await issue('bob', { ...own, ttl_seconds: 3600 });
    await issue('carol', { ttl_seconds: 3600 });
    await issue('dave', { ...own, agent_override: { system: 'Be short.' } });

    const changes = {
      max_ttl_seconds: 600,
      allowed_origins: ['https://*.example.com'],
      allow_agent_override: false,
    };
    expect((await check(changes)).refuses).toEqual({
      tokens: 3,
      settings: expect.arrayContaining([
        { pointer: '/embed/max_ttl_seconds', tokens: 2 },
        { pointer: '/embed/allow_agent_override', tokens: 1 },
      ]),
    });
    expect((await check({ allowed_origins: [testOrigin] })).refuses).toEqual({
      tokens: 1,
      settings: [{ pointer: '/embed/allowed_origins', tokens: 1 }],
    });
    expect((await check({})).refuses).toEqual({ tokens: 0, settings: [] });
    expect((await check(null)).refuses.tokens).toBe(4);
  });

  it('lists the origins that were refused in the last 24 hours, from all processes', async () => {
    const { check, clock, issue, openPage, requestAsPage, store } = await setup({
      agent: { publishable_keys: [{ key: 'pk_test' }] },
    });
    const second = await setup({ sharedStore: store, seed: 'second' });
    const { token } = await issue('ada');
    const visit = (origin: string, key = 'pk_test') =>
      requestAsPage(
        'POST',
        '/agent/v1/embed_tokens/anonymous',
        { publishable_key: key },
        { origin },
      );

    for (const origin of ['https://a.test', 'https://a.test', 'null']) {
      expect((await openPage(token, origin)).status).toBe(403);
    }
    expect((await visit('https://b.test')).status).toBe(403);
    // Without a valid credential, an origin is not counted.
    expect((await openPage('et_unknown', 'https://stranger.test')).status).toBe(403);
    expect((await visit('https://stranger.test', 'pk_unknown')).status).toBe(403);
    await requestAsPage('GET', configPath, undefined, { origin: 'https://stranger.test' });

    await expect.poll(async () => (await check({})).refused_origins.length).toBe(3);
    const lastRefusedAt = new Date(clock.now()).toISOString();
    const found = await second.check({ allowed_origins: [testOrigin, 'https://a.test'] });
    const row = (origin: string, requests: number, allowed: boolean) => ({
      origin,
      requests,
      last_refused_at: lastRefusedAt,
      allowed,
    });
    expect(found.refused_origins).toEqual([
      row('https://a.test', 2, true),
      row('https://b.test', 1, false),
      row('null', 1, false),
    ]);
    expect(found.other_refused_requests).toBe(0);
    clock.advance(25 * hourMs);
    expect((await check({})).refused_origins).toEqual([]);
  });

  it('stores refused requests after five seconds', async () => {
    const { check, clock, issue, openPage, store } = await setup({
      agent: { embed: { allowed_origins: [testOrigin, otherOrigin] } },
    });
    const second = await setup({ sharedStore: store, seed: 'second' });
    const { token } = await issue('ada', { allowed_origins: [testOrigin] });

    await openPage(token, otherOrigin);
    expect((await second.check({})).refused_origins).toEqual([]);
    clock.advance(5_000);

    const origins = async () =>
      (await second.check({})).refused_origins.map(({ origin }) => origin);
    await expect.poll(origins).toEqual([otherOrigin]);
    expect((await check({})).refused_origins).toHaveLength(1);
  });

  it('lists at most 20 origins of an hour, however many a user sends', async () => {
    const { check, issue, openPage } = await setup({
      agent: { embed: { allowed_origins: ['https://*.sites.test'] } },
    });
    const { token } = await issue('ada', { allowed_origins: ['https://own.sites.test'] });
    const origins = Array.from({ length: 30 }, (_, index) => `https://o${index}.sites.test`);
    for (const origin of [...origins, origins[0] ?? '', 'not an origin']) {
      expect((await openPage(token, origin)).status).toBe(403);
    }

    const first = await check({});
    expect((await openPage(token, 'https://late.sites.test')).status).toBe(403);
    const second = await check({});

    expect(first.refused_origins).toHaveLength(20);
    expect(first.refused_origins[0]).toMatchObject({ origin: origins[0], requests: 2 });
    // `not an origin` is refused before its token is looked up, and not counted by name.
    expect(first.other_refused_requests).toBeGreaterThanOrEqual(10);
    expect(second.refused_origins).toHaveLength(20);
    expect(second.other_refused_requests).toBeGreaterThan(first.other_refused_requests);
  });

  it('is not for embed tokens', async () => {
    const { issue, requestAsUser } = await setup();
    const { token } = await issue('ada');

    const response = await requestAsUser(token, 'POST', '/agent/v1/agents/test/embed/check', {
      embed: {},
    });

    expect(response.status).toBe(404);
  });
});
