/** Limits that two processes count in a shared store, with every database engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';
import { type Stores, storeEngines } from '../testing/store-engines.ts';

const firstMessage = { initial_events: [message('Hello')] };
const times = Array.from({ length: 32 }, (_, index) => index);
const statusesOf = (responses: readonly Response[]) =>
  responses.map(({ status }) => status).toSorted((a, b) => a - b);

describe.each(Object.keys(storeEngines))('two processes on %s', (engine) => {
  let stores: Stores;
  beforeAll(async () => {
    stores = await (storeEngines[engine] as () => Promise<Stores>)();
  });
  afterAll(() => stores.end());

  /** Sets up two servers. `next` alternates between them. */
  async function setup(options: SetupOptions) {
    const name = expect.getState().currentTestName ?? '';
    const servers = await Promise.all(
      stores.pair.map((sharedStore, index) =>
        setupServer({ ...options, sharedStore, seed: `${name} ${index}` }),
      ),
    );
    let turn = 0;
    return () => servers[turn++ % servers.length] as (typeof servers)[number];
  }

  it.each(['visitor', 'source'])(
    'create no more sessions than the daily quota of one %s allows',
    async (subject) => {
      const key = `pk_${subject}_${engine}`;
      const next = await setup({
        agent: { publishable_keys: [{ key, [`sessions_per_${subject}_per_day`]: 3 }] },
      });
      const anonymous = await next().requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
        publishable_key: key,
      });
      const { token } = (await anonymous.json()) as { token: string };

      const responses = await Promise.all(
        times.map(() => next().requestAsUser(token, 'POST', '/agent/v1/sessions', firstMessage)),
      );

      expect(statusesOf(responses)).toEqual([...Array(3).fill(200), ...Array(29).fill(429)]);
      const row = await stores.pair[0].db
        .selectFrom('publishable_key_days')
        .select('sessions')
        .where('publishable_key', '=', key)
        .executeTakeFirst();
      expect(row?.sessions).toBe(3);
    },
  );

  it('create no more empty sessions than `empty_sessions_per_day` allows', async () => {
    const next = await setup({ config: { limits: { user: { empty_sessions_per_day: 4 } } } });
    const { token } = await next().issue('empty');

    const created = await Promise.all(
      times.map(() => next().requestAsUser(token, 'POST', '/agent/v1/sessions', {})),
    );

    expect(statusesOf(created)).toEqual([...Array(4).fill(200), ...Array(28).fill(429)]);
  });

  it('count a session once even if several first messages arrive simultaneously', async () => {
    const key = `pk_first_${engine}`;
    const next = await setup({ agent: { publishable_keys: [{ key }] } });
    const anonymous = await next().requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: key,
    });
    const { token } = (await anonymous.json()) as { token: string };
    const created = await next().requestAsUser(token, 'POST', '/agent/v1/sessions', {});
    const { id } = (await created.json()) as { id: string };

    await Promise.all(
      times.map(() =>
        next().requestAsUser(token, 'POST', `/agent/v1/sessions/${id}/events`, {
          events: firstMessage.initial_events,
        }),
      ),
    );

    const row = await stores.pair[0].db
      .selectFrom('publishable_key_days')
      .select('sessions')
      .where('publishable_key', '=', key)
      .executeTakeFirst();
    expect(row?.sessions).toBe(1);
  });

  it('execute no more concurrent runs of one user than `user.runs` allows', async () => {
    const next = await setup({
      config: { limits: { user: { runs: 2 } } },
      // The clocks do not advance, so these runs never end.
      agent: { model: { provider: 'scripted', first_delay_ms: 1000 } },
    });
    const user = `busy-${engine}`;
    const { token } = await next().issue(user);

    const responses = await Promise.all(
      times.map(() => next().requestAsUser(token, 'POST', '/agent/v1/sessions', firstMessage)),
    );

    expect(statusesOf(responses)).toEqual(Array(32).fill(200));
    const runs = () =>
      stores.pair[0].db
        .selectFrom('runs')
        .innerJoin('sessions', 'sessions.id', 'runs.session_id')
        .select('runs.worker')
        .where('sessions.external_user_id', '=', user)
        .execute();
    const activeRuns = async () => (await runs()).filter(({ worker }) => worker !== null).length;
    await expect.poll(activeRuns).toBe(2);
    expect(await runs()).toHaveLength(32);
  });
});
