import type { SessionRecord } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { setupServer, testOrigin } from '../testing/setup-server.ts';

const model = { provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0 };
const embed = {
  allowed_origins: [testOrigin],
  limits: { requests_per_second: 100_000, concurrent: 1000 },
};

async function setup(script?: object[]) {
  const agent = (short_id: string) => ({
    short_id,
    name: short_id,
    model: script ? { ...model, script } : model,
    tools: [
      { type: 'custom', name: 'pause', description: 'Waits.', input_schema: { type: 'object' } },
    ],
    publishable_keys: [{ key: `pk_${short_id}` }],
    embed,
  });
  const server = await setupServer({
    config: { agents: [agent('test'), agent('other')] as never },
  });
  const { backend, clock, issue, requestAsPage, requestAsUser, store } = server;
  const call = (token: string, method: string, path: string, body?: object) =>
    requestAsUser(token, method, `/agent/v1${path}`, body);
  /** Starts a conversation with a text. Returns its id. */
  const create = async (token: string, fields: object = { initial_events: [message('Hi')] }) => {
    const created = await call(token, 'POST', '/sessions', fields);
    expect(created.status).toBe(200);
    const { id } = (await created.json()) as { id: string };
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
    clock.advance(1000);
    return id;
  };
  const visitorToken = async (key: string) => {
    const body = { publishable_key: key };
    const issued = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', body);
    return ((await issued.json()) as { token: string }).token;
  };
  const list = async (query = '') => {
    const response = await backend('GET', `/agent/v1/sessions${query}`);
    expect(response.status).toBe(200);
    const page = (await response.json()) as { data: SessionRecord[]; next_page: string | null };
    return { ...page, ids: page.data.map(({ id }) => id) };
  };
  return {
    ...server,
    call,
    create,
    list,
    visitorToken,
    token: (await issue('ada')).token,
    other: (await issue('bob', { agent: 'other' })).token,
  };
}

describe('the list of all conversations', () => {
  it('contains those of all users and agents, newest first, also archived ones', async () => {
    const { call, create, list, other, token } = await setup();
    const ids = [await create(token), await create(other), await create(token)];
    await call(token, 'POST', `/sessions/${ids[0]}/archive`);

    const page = await list();

    expect(page.ids).toEqual(ids.toReversed());
    expect(page.data.map(({ external_user_id, agent }) => [external_user_id, agent.name])).toEqual([
      ['ada', 'test'],
      ['bob', 'other'],
      ['ada', 'test'],
    ]);
    expect(page.data[0]).toMatchObject({ publishable_key: null, outcome: 'answered' });
  });

  it('is filtered by agent, user, publishable key and time', async () => {
    const { clock, create, list, other, token, visitorToken } = await setup();
    const visitor = await visitorToken('pk_other');
    const [first, second, third] = [
      await create(token),
      await create(other),
      await create(visitor),
    ];
    const at = (await list()).data.map(({ active_at }) => active_at);

    expect((await list('?agent_id=test')).ids).toEqual([first]);
    expect((await list('?agent_id=other')).ids).toEqual([third, second]);
    expect((await list('?agent_id=agt_unknown')).ids).toEqual([]);
    expect((await list('?external_user_id=bob')).ids).toEqual([second]);
    expect((await list('?external_user_id=bob&agent_id=test')).ids).toEqual([]);
    expect((await list('?external_user_id=bob&agent_id=other')).ids).toEqual([second]);
    expect((await list('?publishable_key=pk_other')).ids).toEqual([third]);
    expect((await list(`?active_after=${at[1]}`)).ids).toEqual([third]);
    expect((await list(`?active_before=${at[1]}`)).ids).toEqual([first]);
    const inPeriod = `?active_after=${at[2]}&active_before=${at[0]}`;
    expect((await list(inPeriod)).ids).toEqual([second]);
    expect((await list('?active_after=2026-01-15T02:00:00%2B02:00')).ids.length).toBe(
      clock.now() > Date.parse('2026-01-15T00:00:00Z') ? 3 : 0,
    );
  });

  it('is filtered by status and archive', async () => {
    const { backend, call, create, list, token } = await setup();
    const [idle, ended, archived] = [await create(token), await create(token), await create(token)];
    await backend('POST', `/agent/v1/sessions/${ended}/terminate`, {});
    await call(token, 'POST', `/sessions/${archived}/archive`);

    expect((await list('?status=terminated')).ids).toEqual([ended]);
    expect((await list('?status=running')).ids).toEqual([]);
    expect((await list('?status=idle')).ids).toEqual([archived, idle]);
    expect((await list('?archived=true')).ids).toEqual([archived]);
    expect((await list('?archived=false')).ids).toEqual([ended, idle]);
    expect((await list('?archived=false&status=idle')).ids).toEqual([idle]);
    expect((await list('?archived=any')).ids).toEqual([archived, ended, idle]);
  });

  it('is filtered by rating, which can change', async () => {
    const { call, create, list, token } = await setup();
    const [rated] = [await create(token), await create(token)];
    const events = await call(token, 'GET', `/sessions/${rated}/events?types[]=agent.message`);
    const { data } = (await events.json()) as { data: { id: string }[] };
    const rate = (rating: string) =>
      call(token, 'POST', `/sessions/${rated}/feedback`, { event_id: data[0]?.id, rating });
    expect((await list('?rating=down')).ids).toEqual([]);

    await rate('down');
    expect((await list('?rating=down')).ids).toEqual([rated]);
    await rate('up');

    expect((await list('?rating=down')).ids).toEqual([]);
    expect((await list('?rating=up&agent_id=test')).ids).toEqual([rated]);
    expect((await list('?rating=up&agent_id=other')).ids).toEqual([]);
  });

  it('has no deleted conversation', async () => {
    const { backend, create, list, token } = await setup();
    const id = await create(token);

    await backend('DELETE', `/agent/v1/sessions/${id}`);

    expect((await list()).ids).toEqual([]);
    expect((await list('?external_user_id=ada')).ids).toEqual([]);
  });

  it('has every conversation once over all pages, if two were active at the same time', async () => {
    const { create, list, store, token } = await setup();
    for (let n = 0; n < 5; n++) await create(token, {});
    await store.db.updateTable('sessions').set({ active_at: 1_000 }).execute();
    const { ids: all } = await list();

    const ids: string[] = [];
    for (
      let page = await list('?limit=2');
      ;
      page = await list(`?limit=2&page=${page.next_page}`)
    ) {
      ids.push(...page.ids);
      if (page.next_page === null) break;
    }

    expect(ids).toEqual(all);
    expect(new Set(ids).size).toBe(5);
  });

  it('finds a conversation with several filters behind more than 1,000 others', async () => {
    const { create, list, store, token } = await setup();
    const wanted = await create(token);
    await store.db
      .updateTable('sessions')
      .set({ archived_at: null, status: 'terminated' })
      .execute();
    const row = await store.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: 1_500 }, (_, n) => ({
      ...row,
      id: `ses_other_${n}`,
      archived_at: 1,
      active_at: row.active_at + 1 + n,
    }));
    for (let n = 0; n < others.length; n += 100) {
      await store.db
        .insertInto('sessions')
        .values(others.slice(n, n + 100))
        .execute();
    }

    const first = await list('?archived=false&status=terminated');
    const second = await list(`?archived=false&status=terminated&page=${first.next_page}`);

    expect([first.ids, second.ids, second.next_page]).toEqual([[], [wanted], null]);
    const many = await list('?archived=true&status=terminated&limit=100');
    expect(many.ids).toHaveLength(100);
    expect(many.next_page).not.toBeNull();
  });

  it('is filtered by values of the metadata, whatever they contain', async () => {
    const { create, list, token } = await setup();
    const texts = ['pro', 'pro"', '"plan":"pro"', 'Pro', "'; --", '%', 'ü\u0007'];
    const ids: string[] = [];
    for (const plan of texts) {
      const fields = { metadata: { plan, team: 'a"b' }, initial_events: [message('Hi')] };
      ids.push(await create(token, fields));
    }
    const find = async (...members: [string, string][]) => {
      const names = members.map(([key, value]) => [`metadata[${key}]`, value]);
      return (await list(`?${new URLSearchParams(names)}`)).ids;
    };

    for (const [index, text] of texts.entries())
      expect(await find(['plan', text])).toEqual([ids[index]]);
    expect(await find(['plan', 'pro'], ['team', 'a"b'])).toEqual([ids[0]]);
    expect(await find(['plan', 'pro'], ['team', 'b'])).toEqual([]);
    expect(await find(['lan', 'pro'])).toEqual([]);
    const quoted = {
      metadata: { 'a"plan': 'pro', 'b,"plan': 'pro' },
      initial_events: [message('Hi')],
    };
    const other = await create(token, quoted);
    expect(await find(['plan', 'pro'])).toEqual([ids[0]]);
    expect(await find(['a"plan', 'pro'])).toEqual([other]);
  });

  it.each([
    ['agent=test', '/query/agent', 'is not a parameter of this list, which has agent_id,'],
    ['metadata=pro', '/query/metadata', 'must be given as `metadata[key]=value`'],
    ['metadata[a]=1&metadata[a]=2', '/query/metadata/a', 'must be given once'],
    ['agent_id=', '/query/agent_id', 'must not be empty'],
    ['external_user_id=a/b', '/query/external_user_id', 'may hold only'],
    ['status=done', '/query/status', 'must be idle, running, rescheduling, or terminated'],
    ['rating=good', '/query/rating', 'must be up or down'],
    ['outcome=x', '/query/outcome', 'must be answered, failed, budget, or interrupted'],
    ['archived=1', '/query/archived', 'must be true, false, or any'],
    ['active_after=yesterday', '/query/active_after', 'must be a time in RFC 3339'],
    ['active_before=2026-01-15', '/query/active_before', 'must be a time in RFC 3339'],
    ['limit=101', '/query/limit', 'must be at most 100'],
    ['page=x', '/query/page', 'must be the `next_page`'],
  ])('refuses `%s`', async (query, pointer, message) => {
    const { backend } = await setup();

    const response = await backend('GET', `/agent/v1/sessions?${query}`);

    expect(response.status).toBe(400);
    const { code, errors } = await problemOf(response);
    expect(code).toBe('VALIDATION_ERROR');
    expect(errors).toEqual([{ pointer, message: expect.stringContaining(message) }]);
  });

  it('has only the conversations of the user with an embed token, whatever the filters say', async () => {
    const { call, create, other, token } = await setup();
    const own = await create(token);
    await create(other);

    const response = await call(
      token,
      'GET',
      '/sessions?external_user_id=bob&agent_id=other&status=x&rating=x&unknown=1',
    );

    const { data } = (await response.json()) as { data: object[] };
    expect(data).toMatchObject([{ id: own }]);
    expect(data[0]).not.toHaveProperty('external_user_id');
  });
});

describe('the outcome of a conversation', () => {
  const outcomeOf = async ({ backend }: Awaited<ReturnType<typeof setup>>, id: string) => {
    const response = await backend('GET', `/agent/v1/sessions/${id}`);
    return ((await response.json()) as SessionRecord).outcome;
  };

  it('is null before the first answer, and `answered` after it', async () => {
    const server = await setup();
    const id = await server.create(server.token, {});
    expect(await outcomeOf(server, id)).toBeNull();

    await server.call(server.token, 'POST', `/sessions/${id}/events`, { events: [message('Hi')] });

    await expect.poll(() => outcomeOf(server, id)).toBe('answered');
    expect((await server.list('?outcome=answered')).ids).toEqual([id]);
    expect((await server.list('?outcome=failed')).ids).toEqual([]);
  });

  it('is `failed` if the model failed', async () => {
    const server = await setup([{ fail: 'server' }]);
    const id = await server.create(server.token);

    expect(await outcomeOf(server, id)).toBe('failed');
    expect((await server.list('?outcome=failed')).ids).toEqual([id]);
    expect((await server.list('?outcome=failed&agent_id=other')).ids).toEqual([]);
  });

  it('is `interrupted` if the user stopped the answer, and stays when the conversation is ended', async () => {
    const server = await setup([{ call: 'pause', input: {} }]);
    const id = await server.create(server.token);
    expect((await server.list()).data).toMatchObject([{ requires_action: true, outcome: null }]);

    await server.call(server.token, 'POST', `/sessions/${id}/events`, {
      events: [{ type: 'user.interrupt' }],
    });

    await expect.poll(async () => (await server.list()).data[0]?.requires_action).toBe(false);
    expect(await outcomeOf(server, id)).toBe('interrupted');
    await server.backend('POST', `/agent/v1/sessions/${id}/terminate`, {});
    expect((await server.list('?outcome=interrupted')).ids).toEqual([id]);
  });

  it('does not change if the user stops a conversation without a run', async () => {
    const server = await setup();
    const id = await server.create(server.token);

    await server.backend('POST', `/agent/v1/sessions/${id}/terminate`, {});

    expect(await outcomeOf(server, id)).toBe('answered');
  });
});
