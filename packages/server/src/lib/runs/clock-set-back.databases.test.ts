import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';

const start = Date.UTC(2026, 0, 15, 12);
const hour = 3_600_000;

/** Two processes with one database, of which the first has a clock that is an hour ahead. */
async function setup(agent: SetupOptions['agent'] = {}) {
  const slow = { provider: 'scripted' as const, delay_ms: 10, first_delay_ms: 0 };
  const ahead = await setupServer({
    agent: { model: slow, ...agent },
    realClock: createFakeClock(start + hour),
  });
  const restart = () =>
    setupServer({
      agent: { model: { ...slow, delay_ms: 0 }, ...agent },
      sharedStore: ahead.store,
      seed: 'restarted',
    });
  return { ahead, restart };
}

describe('after the clock was set back by an hour', () => {
  it('a run whose process died is continued', async () => {
    const { ahead, restart } = await setup();
    const { token } = await ahead.issue();
    const path = '/agent/v1/sessions';
    const initial_events = [message('table')];
    const created = await ahead.requestAsUser(token, 'POST', path, { initial_events });
    const { id } = (await created.json()) as { id: string };
    const heartbeats = () =>
      ahead.store.db
        .selectFrom('runs')
        .innerJoin('workers', 'workers.id', 'runs.worker')
        .select('heartbeat_at')
        .execute();
    await expect.poll(heartbeats).toEqual([{ heartbeat_at: start + hour }]);

    const restarted = await restart();
    const { token: newToken } = await restarted.issue();

    await expect
      .poll(async () => {
        const response = await restarted.requestAsUser(newToken, 'GET', `${path}/${id}/events`);
        const { data } = (await response.json()) as { data: { type: string }[] };
        return data.at(-1)?.type;
      })
      .toBe('session.status_idle');
  });

  it.each([
    ['of a user', 'POST', '/agent/v1/agents/test/end_users/ada/revoke_tokens'],
    ['of an archived agent', 'POST', '/agent/v1/agents/test/archive'],
  ])('tokens %s that were revoked stay revoked', async (_, method, path) => {
    const { ahead, restart } = await setup();
    const restarted = await restart();
    const { token } = await restarted.issue();

    const revoked = await ahead.backend(method, path, {});
    const afterwards = await restarted.requestAsUser(token, 'GET', '/agent/v1/sessions');

    expect(revoked.status).toBe(200);
    expect(await problemOf(afterwards)).toMatchObject({ code: 'EMBED_TOKEN_REVOKED' });
  });
});
