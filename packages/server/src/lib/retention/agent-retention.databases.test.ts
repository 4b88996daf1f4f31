import { AgentResource, EmbedConfig } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../clock.ts';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
const limits = { requests_per_second: 100_000, concurrent: 1000 };
const embed = { allowed_origins: [testOrigin], limits };

/** Sets up a platform that keeps conversations for 90 days, with the agents `short` and `long`. */
async function setup() {
  const agent = { name: 'Agent', model, embed };
  const server = await setupServer({
    config: {
      retention: { sessions_days: 90 },
      agents: [
        { ...agent, short_id: 'long' },
        { ...agent, short_id: 'short', retention: { sessions_days: 30 } },
      ],
    },
  });
  const { backend, clock, issue, requestAsUser, store } = server;
  return {
    ...server,
    async configOf(name: string) {
      const { token } = await issue('ada', { agent: name });
      const response = await requestAsUser(token, 'GET', '/agent/v1/embed/config');
      return EmbedConfig.parse(await response.json());
    },
    async createSession(name: string) {
      const { token } = await issue('ada', { agent: name });
      const body = { initial_events: [message('Hello')] };
      const response = await requestAsUser(token, 'POST', '/agent/v1/sessions', body);
      expect(response.status).toBe(200);
      await expect
        .poll(() => {
          clock.advance(1);
          return store.db.selectFrom('runs').selectAll().execute();
        })
        .toEqual([]);
    },
    /** Runs sweeps until the agents with sessions are these. */
    async sweepsUntil(names: string[]) {
      const expected = await Promise.all(
        names.map(async (name) => {
          const response = await backend('GET', `/agent/v1/agents/${name}`);
          return AgentResource.parse(await response.json()).id;
        }),
      );
      await expect
        .poll(async () => {
          clock.advance(3_600_000);
          const rows = await store.db.selectFrom('sessions').select('agent_id').execute();
          return rows.map(({ agent_id: id }) => id).toSorted();
        })
        .toEqual(expected.toSorted());
    },
  };
}

describe('`retention.sessions_days` of an agent', () => {
  it('deletes inactive conversations of this agent earlier, in any number', async () => {
    const { clock, createSession, sweepsUntil } = await setup();
    await createSession('long');
    for (let n = 0; n < 21; n += 1) await createSession('short');
    clock.advance(20 * dayMs);
    await createSession('short');
    clock.advance(11 * dayMs);

    await sweepsUntil(['long', 'short']);
    clock.advance(20 * dayMs);
    await sweepsUntil(['long']);
    clock.advance(40 * dayMs);
    await sweepsUntil([]);
  });

  it('can be changed at run time, with the next cleanup, and is in the configuration of the widget', async () => {
    const { backend, clock, configOf, createSession, sweepsUntil } = await setup();
    await createSession('long');
    await createSession('short');
    clock.advance(8 * dayMs);
    expect((await configOf('long')).retention).toEqual({ sessions_days: 90 });
    expect((await configOf('short')).retention).toEqual({ sessions_days: 30 });

    const change = { retention: { sessions_days: 7 } };
    const changed = await backend('POST', '/agent/v1/agents/long', change);

    expect(AgentResource.parse(await changed.json()).retention).toEqual({ sessions_days: 7 });
    expect((await configOf('long')).retention).toEqual({ sessions_days: 7 });
    await sweepsUntil(['short']);

    await backend('POST', '/agent/v1/agents/short', { retention: { sessions_days: null } });
    expect((await configOf('short')).retention).toEqual({ sessions_days: 90 });
    clock.advance(31 * dayMs);
    await createSession('long');
    await sweepsUntil(['long', 'short']);
  });

  it.each([
    [91, 'must be at most 90, which is `retention.sessions_days` of the platform'],
    [0, '1'],
  ])('of %d days is refused for a new and a changed agent', async (days, text) => {
    const { backend } = await setup();
    const change = { retention: { sessions_days: days } };

    for (const [path, body] of [
      ['/agent/v1/agents/long', change],
      ['/agent/v1/agents', { short_id: 'new', name: 'New', model, ...change }],
    ] as const) {
      const response = await backend('POST', path, body);

      expect(response.status).toBe(400);
      const [error] = (await problemOf(response)).errors ?? [];
      expect(error?.pointer).toBe('/retention/sessions_days');
      expect(error?.message).toContain(text);
    }
  });

  it('is never longer than the one of the platform, which may have been shortened since', async () => {
    const { backend, configOf, store } = await setup();
    await backend('POST', '/agent/v1/agents/long', { retention: { sessions_days: 80 } });
    const agent = { short_id: 'long', name: 'Agent', model, embed };
    const config = { retention: { sessions_days: 60 }, agents: [agent] };
    const later = await setupServer({ config, sharedStore: store, seed: 'later' });

    expect((await configOf('long')).retention).toEqual({ sessions_days: 80 });
    const { token } = await later.issue('ada', { agent: 'long' });
    const response = await later.requestAsUser(token, 'GET', '/agent/v1/embed/config');
    expect(await response.json()).toMatchObject({ retention: { sessions_days: 60 } });
    const renamed = await later.backend('POST', '/agent/v1/agents/long', { name: 'Other' });
    expect(renamed.status).toBe(200);
  });
});
