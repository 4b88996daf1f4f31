import { CompiledQuery, type KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import { dayMs } from '../clock.ts';
import { insertTexts } from '../events/search-index.ts';
import { deleteExpiredResponses } from '../idempotency/idempotent.ts';
import { responseModel } from '../testing/setup-chat-model.ts';
import { allRights } from '../testing/setup-data-rights.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';
import { createSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

/** Sets up a server with an embedded store that records its queries. */
async function setup(config: SetupOptions['config'] = {}) {
  const store = await createSqliteStore({ data: 'memory' });
  const queries = new Map<string, CompiledQuery>();
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const query = store.db.getExecutor().compileQuery(node, queryId);
      queries.set(query.sql, query);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const access: Store['priority'] = {
    db: store.db.withPlugin(recorder),
    transaction: (work) => store.transaction((tx) => work(tx.withPlugin(recorder) as typeof tx)),
    lock: store.lock,
  };
  const server = await setupServer({
    agent: { appearance: allRights },
    config,
    sharedStore: { ...store, ...access, priority: access },
  });
  return {
    ...server,
    /** Forgets the queries that were recorded. */
    forget: () => queries.clear(),
    /** Returns the number of different recorded queries that name a table. */
    queriesOf: (table: string) =>
      [...queries.keys()].filter((sql) => sql.includes(`"${table}"`)).length,
    /** Returns how SQLite finds the rows of a table in the recorded queries. */
    async plansOf(table: string): Promise<string[]> {
      const plans: string[] = [];
      for (const { sql, parameters } of queries.values()) {
        if (!/^\s*(with|select|update|delete) /.test(sql)) continue;
        const plan = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
        const { rows } = await store.db.executeQuery<{ detail: string }>(plan);
        plans.push(...rows.map(({ detail }) => detail));
      }
      return plans.filter((plan) => new RegExp(`^(SCAN|SEARCH) ${table}\\b`).test(plan));
    },
  };
}

it('the deletion of conversations, users and stored responses scans no table that may be large', async () => {
  const { issue, requestAsUser, store, clock, plansOf } = await setup();
  const { token } = await issue();
  const call = (method: string, path: string, body?: object) =>
    requestAsUser(token, method, `/agent/v1${path}`, body);
  const { id } = (await (await call('POST', '/sessions', {})).json()) as { id: string };

  expect((await call('DELETE', `/sessions/${id}`)).status).toBe(200);
  expect((await call('POST', '/embed/forget_me')).status).toBe(200);
  const sessions = () => store.db.selectFrom('sessions').select('id').execute();
  await expect.poll(sessions).toEqual([]);
  clock.advance(dayMs);
  await deleteExpiredResponses({ store, clock });

  for (const table of ['files', 'visitors', 'idempotency']) {
    const plans = await plansOf(table);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([]);
  }
});

it('the cleanup finds old conversations of an agent and old consents by an index', async () => {
  const { backend, clock, forget, plansOf, queriesOf } = await setup();
  await backend('POST', '/agent/v1/agents/test', { retention: { sessions_days: 30 } });
  forget();

  clock.advance(60_000);

  await expect.poll(() => queriesOf('sessions')).toBeGreaterThan(2);
  expect(await plansOf('sessions')).toEqual(
    expect.arrayContaining([
      'SEARCH sessions USING INDEX sessions_by_last_activity (active_at<?)',
      'SEARCH sessions USING INDEX sessions_by_agent (agent_id=? AND active_at<?)',
    ]),
  );
  await expect
    .poll(() => plansOf('consents'))
    .toEqual([expect.stringMatching(/^SEARCH consents USING COVERING INDEX consents_by_time/)]);
});

it.each([
  'external_user_id=ada',
  'agent_id=test',
  'agent_id=test&external_user_id=ada',
  'publishable_key=pk_test',
  'created_after=2026-01-01T00:00:00Z',
  'status=active',
  'status=revoked',
  'publishable_key=pk_test&status=expired',
])('the list of embed tokens with `%s` does not scan the tokens of all users', async (filter) => {
  const { backend, issue, plansOf } = await setup();
  await issue();

  expect((await backend('GET', `/agent/v1/embed_tokens?${filter}`)).status).toBe(200);

  const plans = await plansOf('issuances');
  expect(plans.length).toBeGreaterThan(0);
  // This index contains only the revoked tokens, in the order of the list.
  const scans = plans.filter((plan) => plan.startsWith('SCAN'));
  expect(scans.filter((plan) => !plan.endsWith(' INDEX issuances_revoked'))).toEqual([]);
});

it.each([
  ['', 'sessions_by_time'],
  ['agent_id=test', 'sessions_by_agent (agent_id=?'],
  ['external_user_id=ada', 'sessions_by_external_user (external_user_id=?'],
  ['external_user_id=ada&agent_id=test', 'sessions_by_activity (agent_id=? AND external_user_id=?'],
  ['publishable_key=pk_test', 'sessions_by_key (publishable_key=?'],
  ['active_after=2026-01-01T00:00:00Z', 'sessions_by_time (active_at>?)'],
  ['active_before=2026-01-01T00:00:00Z', 'sessions_by_time (active_at<?)'],
  ['status=running', 'sessions_by_status (status=?'],
  ['status=idle', 'sessions_by_time'],
  ['rating=up', 'sessions_rated_up'],
  ['rating=down', 'sessions_rated_down'],
  ['outcome=failed', 'sessions_by_outcome (outcome=?'],
  ['outcome=answered', 'sessions_by_time'],
  ['archived=true', 'sessions_archived'],
  ['archived=false', 'sessions_by_time'],
  ['metadata[team]=red', 'sessions_by_time'],
  ['agent_id=test&outcome=budget', 'sessions_by_outcome (outcome=?'],
  ['agent_id=test&outcome=answered', 'sessions_by_agent (agent_id=?'],
])('the list of all conversations with `%s` reads the index %s', async (filter, index) => {
  const { backend, forget, plansOf, queriesOf } = await setup();
  forget();

  expect((await backend('GET', `/agent/v1/sessions?${filter}`)).status).toBe(200);

  const plans = await plansOf('sessions');
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) expect(plan).toContain(`INDEX ${index}`);
  expect(queriesOf('sessions')).toBeLessThanOrEqual(3);
});

it.each([
  ['', 'feedback_by_time'],
  ['rating=down', 'feedback_by_rating (rating=?'],
  ['after=2026-01-01T00:00:00Z', 'feedback_by_time (created_at>?)'],
  ['before=2026-01-01T00:00:00Z', 'feedback_by_time (created_at<?)'],
  ['agent_id=test', 'feedback_by_time'],
  ['agent_id=test&version=1', 'feedback_by_time'],
])('the list of all feedback with `%s` reads the index %s', async (filter, index) => {
  const { backend, forget, plansOf } = await setup();
  forget();

  expect((await backend('GET', `/agent/v1/feedback?${filter}`)).status).toBe(200);

  const plans = await plansOf('feedback');
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) expect(plan).toContain(`INDEX ${index}`);
  for (const plan of await plansOf('sessions')) expect(plan).toMatch(/^SEARCH sessions .*id=\?/);
});

it('usage is found by its days', async () => {
  const { backend, forget, plansOf } = await setup();
  forget();

  expect((await backend('GET', '/agent/v1/usage?group_by=day,agent')).status).toBe(200);

  for (const table of ['usage_days', 'usage_users']) {
    expect(await plansOf(table)).toEqual([
      expect.stringMatching(/^SEARCH .* \(day>\? AND day<\?\)$/),
    ]);
  }
});

it.each([
  ['', 'agent_id=?', 1],
  ['seen_after=2026-01-01T00:00:00Z', 'agent_id=? AND last_seen_at>?', 1],
  ['query=ada', 'agent_id=?', 2],
  ['blocked=true', 'agent_id=?', 2],
])('the people of an agent with `%s` are found by %s of the index', async (filter, key, count) => {
  const { backend, forget, plansOf, queriesOf } = await setup();
  forget();

  expect((await backend('GET', `/agent/v1/agents/test/end_users?${filter}`)).status).toBe(200);

  for (const plan of await plansOf('end_users')) {
    expect(plan).toContain(`INDEX end_users_by_time (${key})`);
  }
  expect(queriesOf('end_users')).toBe(count);
});

it.each([
  ['', 'audit_events_by_time'],
  ['actor=cli', 'audit_events_by_actor (actor=?'],
  ['action=keys%20create', 'audit_events_by_action (action=?'],
  ['subject=agents/a&actor=cli', 'audit_events_by_subject (subject=?'],
  ['after=2026-01-01T00:00:00Z', 'audit_events_by_time (at>?)'],
  ['subject=agents/a&before=2026-01-01T00:00:00Z', 'audit_events_by_subject (subject=?'],
])('the audit record with `%s` is read with the index %s', async (filter, index) => {
  const { backend, forget, plansOf } = await setup();
  forget();

  expect((await backend('GET', `/agent/v1/audit_events?${filter}`)).status).toBe(200);

  const plans = await plansOf('audit_events');
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) expect(plan).toContain(`INDEX ${index}`);
});

it('an erasure scans no table that may be large', async () => {
  const { backend, issue, requestAsUser, plansOf } = await setup();
  const { token } = await issue('ada');
  await requestAsUser(token, 'POST', '/agent/v1/sessions', {});

  const path = '/agent/v1/agents/test/end_users/ada/erase';
  expect((await backend('POST', path, { keep_block: true })).status).toBe(200);

  for (const table of [
    'issuances',
    'sessions',
    'files',
    'audit_events',
    'erasures',
    'end_user_days',
    'consents',
  ]) {
    const plans = await plansOf(table);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([]);
  }
});

it('the rated messages and their questions are found without a scan of the log', async () => {
  const { backend, issue, plansOf, requestAsUser, store } = await setup();
  const { token } = await issue();
  const message = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] };
  const body = { initial_events: [message] };
  const created = await requestAsUser(token, 'POST', '/agent/v1/sessions', body);
  const { id } = (await created.json()) as { id: string };
  await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
  const path = `/agent/v1/sessions/${id}`;
  const page = await requestAsUser(token, 'GET', `${path}/events?types=agent.message`);
  const { data } = (await page.json()) as { data: { id: string }[] };
  const rating = { event_id: data[0]?.id, rating: 'up' };
  await requestAsUser(token, 'POST', `${path}/feedback`, rating);

  const list = await backend('GET', '/agent/v1/feedback');

  expect(await list.json()).toMatchObject({ data: [{ question: 'Hello' }] });
  expect(await plansOf('rated')).toEqual([
    'SEARCH rated USING INDEX events_by_id (session_id=? AND id=?)',
  ]);
  for (const table of ['asked', 'starts']) {
    expect(await plansOf(table)).toEqual([expect.stringMatching(/\(session_id=\? AND seq<\?\)$/)]);
  }
});

it('a search reads the index of the words, and no texts of other conversations', async () => {
  const { issue, requestAsUser, plansOf } = await setup();
  const { token } = await issue();

  const path = '/agent/v1/sessions?query=hello';
  expect((await requestAsUser(token, 'GET', path)).status).toBe(200);

  expect(await plansOf('session_terms')).toEqual([
    expect.stringMatching(/^SCAN session_terms VIRTUAL TABLE INDEX .*M1/),
  ]);
  expect(await plansOf('session_texts')).toEqual([
    'SEARCH session_texts USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
});

it('a search of all conversations reads the index of the words, and only the texts and conversations that it finds', async () => {
  const { backend, forget, issue, plansOf, requestAsUser } = await setup();
  const { token } = await issue();
  const message = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] };
  await requestAsUser(token, 'POST', '/agent/v1/sessions', { initial_events: [message] });
  forget();

  const path = '/agent/v1/sessions?query=hello&agent_id=test&active_after=2026-01-01T00:00:00Z';
  const found = await backend('GET', path);

  expect(((await found.json()) as { data: object[] }).data).toHaveLength(1);
  expect(await plansOf('session_terms')).toEqual([
    expect.stringMatching(/^SCAN session_terms VIRTUAL TABLE INDEX .*M1/),
  ]);
  expect(await plansOf('session_texts')).toEqual([
    'SEARCH session_texts',
    'SEARCH session_texts',
    'SEARCH session_texts USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
  for (const plan of await plansOf('sessions')) {
    expect(plan).toMatch(/^SEARCH sessions USING INDEX \S+ \(id=\?\)$/);
  }
});

it('a search of all conversations for a frequent word reads the list in its order, with the texts of each conversation', async () => {
  const { backend, forget, issue, plansOf, requestAsUser, store } = await setup();
  const { token } = await issue();
  const message = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] };
  await requestAsUser(token, 'POST', '/agent/v1/sessions', { initial_events: [message] });
  const session = await store.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  const texts = Array.from({ length: 1_001 }, (_, n) => ({
    session_id: session.id,
    seq: 1_000 + n,
    text: 'hello',
  }));
  await insertTexts(store.db, session, texts);
  forget();

  const found = await backend('GET', '/agent/v1/sessions?query=hello&agent_id=test');

  expect(((await found.json()) as { data: object[] }).data).toHaveLength(1);
  expect(await plansOf('sessions')).toEqual([
    expect.stringContaining('INDEX sessions_by_agent'),
    expect.stringMatching(/^SEARCH sessions USING INDEX \S+ \(id=\?\)$/),
  ]);
  const plans = await plansOf('session_texts');
  expect(plans.at(-1)).toMatch(/^SEARCH session_texts USING INDEX \S+ \(session_id=\?\)$/);
});

it('the sweep reads only the texts whose words are not indexed', async () => {
  const { forget, plansOf, store, clock } = await setup();
  forget();

  await expect
    .poll(() => {
      clock.advance(60_000);
      return plansOf('session_texts');
    })
    .toEqual([expect.stringContaining('INDEX session_texts_without_words')]);
  expect(await store.db.selectFrom('session_texts').selectAll().execute()).toEqual([]);
});

it('an event that another one refers to is found without a scan of the log', async () => {
  const { issue, requestAsUser, plansOf } = await setup();
  const { token } = await issue();
  const send = async (path: string, body: object) => {
    const response = await requestAsUser(token, 'POST', `/agent/v1/sessions${path}`, body);
    expect(response.status).toBe(200);
    return (await response.json()) as { id: string; data: { id: string }[] };
  };
  const { id } = await send('', {});
  const message = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] };
  const { data } = await send(`/${id}/events`, { events: [message] });
  await send(`/${id}/events`, { events: [message] });

  await send(`/${id}/events`, { events: [{ ...message, parent_id: data[0]?.id }] });

  const searches = 'SEARCH events USING INDEX events_by_id (session_id=? AND id=?)';
  expect(await plansOf('events')).toContain(searches);
});

it.each([
  ['chat_model_responses', 'chat_model_responses_queue'],
  ['vector_store_files', 'vector_store_files_queue'],
])('the search for queued rows of %s reads only the index of the queue', async (table, index) => {
  const { app, plansOf } = await setup(responseModel(['http://127.0.0.1:9']));
  // Loads the services with queues.
  await app.routes();

  const scans = async () =>
    new Set((await plansOf(table)).filter((plan) => plan.startsWith('SCAN')));
  await expect.poll(scans).toEqual(new Set([`SCAN ${table} USING INDEX ${index}`]));
});

it('the check of an embed policy scans no table that may be large', async () => {
  const { backend, issue, plansOf, requestAsUser } = await setup();
  const { token } = await issue();
  const origin = 'https://refused.test';
  await requestAsUser(token, 'GET', '/agent/v1/embed/config', undefined, { origin });
  const check = async () => {
    const embed = { blocked_end_users: ['ada'] };
    const checked = await backend('POST', '/agent/v1/agents/test/embed/check', { embed });
    return ((await checked.json()) as { refused_origins: object[] }).refused_origins;
  };
  await expect.poll(check).toHaveLength(1);

  expect(await plansOf('runs')).toContainEqual(expect.stringContaining('INDEX runs_by_user'));
  for (const table of ['issuances', 'refused_origins']) {
    const plans = await plansOf(table);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((plan) => plan.startsWith(`SCAN ${table}`))).toEqual([]);
  }
});

it('webhooks are delivered, listed, sent again and deleted without a scan of all deliveries', async () => {
  const { backend, clock, forget, issue, plansOf, requestAsUser, store } = await setup({
    webhooks: { allowed_private_hosts: ['127.0.0.1'] },
  });
  const base = '/agent/v1/webhook_endpoints';
  const call = async (method: string, path: string, body?: object) => {
    const response = await backend(method, base + path, body);
    expect(response.status).toBe(200);
    return (await response.json()) as { id: string };
  };
  const events = ['session.created', 'message.created', 'end_user.unblocked'];
  const { id } = await call('POST', '', { url: 'http://127.0.0.1:9/', events });
  const { token } = await issue();
  const message = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] };
  const create = () =>
    requestAsUser(token, 'POST', '/agent/v1/sessions', { initial_events: [message] });
  const session = (await (await create()).json()) as { id: string };
  await create();
  await backend('POST', '/agent/v1/agents/test/end_users/ada/unblock');
  const rows = () => store.db.selectFrom('webhook_deliveries').selectAll().execute();
  await expect.poll(async () => (await rows()).some(({ attempt }) => attempt > 0)).toBe(true);
  const [delivery] = await rows();
  forget();

  clock.advance(10_000);
  await call('GET', `/${id}/deliveries?status=failed`);
  await call('POST', `/${id}/deliveries/${delivery?.id}/resend`);
  const period = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
  await call('POST', `/${id}/replay`, period);
  await requestAsUser(token, 'DELETE', `/agent/v1/sessions/${session.id}`);
  await requestAsUser(token, 'POST', '/agent/v1/embed/forget_me');
  clock.advance(3_600_000);
  await call('DELETE', `/${id}`);
  await expect.poll(async () => (await plansOf('webhook_deliveries')).length).toBeGreaterThan(10);

  const plans = await plansOf('(webhook_deliveries|earlier)');
  expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([]);
});
