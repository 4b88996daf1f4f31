import { AgentPage, AgentResource, BlockedEndUserPage } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';

const agentPath = '/agent/v1/agents/test';

async function setup(blocked: readonly string[], options: SetupOptions = {}) {
  const agent = { embed: { allowed_origins: [testOrigin], blocked_end_users: [...blocked] } };
  const server = await setupServer({ ...options, agent });
  const { backend } = server;
  return {
    ...server,
    act: (operation: string, user: string) =>
      backend('POST', `${agentPath}/end_users/${user}/${operation}`),
    setList: (users: readonly string[]) =>
      backend('POST', agentPath, { embed: { blocked_end_users: users } }),
    readAgent: async () => AgentResource.parse(await (await backend('GET', agentPath)).json()),
    /** Requests a token for the user, and returns whether it was issued. */
    isAdmitted: async (user: string) =>
      (await backend('POST', '/agent/v1/embed_tokens', { agent: 'test', external_user_id: user }))
        .status === 200,
  };
}

describe('§2.2: the blocklist of an agent', () => {
  it('§2.2: contains all blocked users, with the source of each entry', async () => {
    const { act, backend, readAgent } = await setup(['ada', 'bob']);
    await act('block', 'eve');
    await act('unblock', 'bob');

    const agent = await readAgent();

    expect(agent.embed?.blocked_end_users).toEqual(['ada', 'eve']);
    expect(agent.blocked_end_users).toEqual([
      { external_user_id: 'ada', source: 'configuration', blocked_at: null },
      { external_user_id: 'eve', source: 'operation', blocked_at: '2026-01-15T12:00:00.000Z' },
    ]);
    const page = (await (await backend('GET', '/agent/v1/agents')).json()) as { data: unknown[] };
    expect(page.data).toEqual([agent]);
  });

  it('is read in pages, and the agents of a page contain only its first users and their number', async () => {
    const users = Array.from({ length: 130 }, (_, index) => `user.${100 + index}@example.com`);
    const { act, backend, readAgent } = await setup(users.slice(0, 110));
    for (const user of users.slice(105)) await act('block', user);
    await act('unblock', users[0] as string);

    const listed: unknown[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const query = `limit=30${next && `&page=${next}`}`;
      const response = await backend('GET', `${agentPath}/blocked_end_users?${query}`);
      const page = BlockedEndUserPage.parse(await response.json());
      listed.push(...page.data.map((user) => [user.external_user_id, user.source]));
      next = page.next_page;
    }

    expect(listed).toEqual([
      ...users.slice(1, 105).map((user) => [user, 'configuration']),
      ...users.slice(105).map((user) => [user, 'operation']),
    ]);
    const agent = await readAgent();
    expect(agent.blocked_end_user_count).toBe(129);
    expect(agent.embed?.blocked_end_users).toEqual(users.slice(1));
    const agents = AgentPage.parse(await (await backend('GET', '/agent/v1/agents')).json());
    expect(agents.data[0]).toMatchObject({
      embed: { blocked_end_users: users.slice(1, 11) },
      blocked_end_user_count: 129,
    });
  });

  it('§2.2: is replaced completely when it is set, which permanently revokes the tokens of newly blocked users', async () => {
    const { act, isAdmitted, issue, requestAsUser, readAgent, setList } = await setup(['ada']);
    await act('block', 'eve');
    await act('unblock', 'ada');
    const { token } = await issue('max');

    await setList(['ada', 'max']);

    expect((await readAgent()).embed?.blocked_end_users).toEqual(['ada', 'max']);
    expect(await Promise.all(['ada', 'max', 'eve'].map(isAdmitted))).toEqual([false, false, true]);
    expect((await requestAsUser(token, 'GET', '/agent/v1/embed/config')).status).toBe(401);
    await setList([]);
    expect(await isAdmitted('max')).toBe(true);
    expect((await requestAsUser(token, 'GET', '/agent/v1/embed/config')).status).toBe(401);
  });

  it('§2.2: does not change when other settings change', async () => {
    const { act, backend, readAgent } = await setup(['ada']);
    await act('block', 'eve');

    await backend('POST', agentPath, { embed: { default_ttl_seconds: 120 } });

    expect((await readAgent()).embed?.blocked_end_users).toEqual(['ada', 'eve']);
  });

  it('§4.6: includes a user whom the configuration adds after an unblock', async () => {
    const first = await setup([]);
    await first.act('block', 'eve');
    await first.act('unblock', 'eve');

    const restarted = await setup(['eve'], { sharedStore: first.store, seed: 'second' });

    expect(await restarted.isAdmitted('eve')).toBe(false);
  });

  it('§4.6: excludes an unblocked user after restarts, until the configuration removes and adds the user again', async () => {
    const first = await setup(['eve']);
    await first.act('unblock', 'eve');
    const restart = (blocked: readonly string[], seed: string) =>
      setup(blocked, { sharedStore: first.store, seed });

    expect(await (await restart(['eve'], 'second')).isAdmitted('eve')).toBe(true);
    await restart([], 'third');
    expect(await (await restart(['eve'], 'fourth')).isAdmitted('eve')).toBe(false);
  });
});
