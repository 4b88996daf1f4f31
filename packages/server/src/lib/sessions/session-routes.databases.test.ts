import { describe, expect, it } from 'vitest';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';

async function setup(options: SetupOptions = {}) {
  const server = await setupServer(options);
  const { token } = await server.issue();
  const call = (method: string, path: string, body?: unknown, headers = {}, userToken = token) =>
    server.requestAsUser(userToken, method, `/agent/v1${path}`, body, headers);
  const json = async (...request: Parameters<typeof call>) =>
    (await (await call(...request)).json()) as Record<string, unknown>;
  const create = async (body: object = {}, headers = {}) =>
    String((await json('POST', '/sessions', body, headers)).id);
  return { ...server, call, json, create };
}

describe('sessions', () => {
  it('start with the budget of the token and the given title and metadata', async () => {
    const { json, issue } = await setup();
    const { token } = await issue('bob', { budget_cents: 50 });

    const body = { title: 'Trip', metadata: { page: '/a' }, environment_id: 'ignored' };
    expect(await json('POST', '/sessions', body, {}, token)).toMatchObject({
      type: 'session',
      id: expect.stringMatching(/^ses_/),
      agent: { type: 'agent', name: 'Test agent', version: '1' },
      status: 'idle',
      title: 'Trip',
      metadata: { page: '/a' },
      budget: { limit_cents: 50, spent_cents: 0 },
      usage: { input_tokens: 0, output_tokens: 0, spent_cents: 0 },
      archived_at: null,
    });
  });

  it('accept only the agent of the token', async () => {
    const { json } = await setup();

    expect(await json('POST', '/sessions', { agent: 'test' })).toMatchObject({ type: 'session' });
    expect(await json('POST', '/sessions', { agent: 'other' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ pointer: '/agent' }],
    });
  });

  it('are listed in pages, newest first, and by default without archived ones', async () => {
    const { create, json, call, clock } = await setup();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.unshift(await create());
      clock.advance(1000);
    }
    await call('POST', `/sessions/${ids[2]}/archive`);

    const idsOf = (page: Record<string, unknown>) =>
      (page.data as { id: string }[]).map(({ id }) => id);
    const first = await json('GET', '/sessions?limit=2');
    const second = await json('GET', `/sessions?limit=2&page=${first.next_page}`);

    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(first.next_cursor).toBe(first.next_page);
    expect(idsOf(second)).toEqual(ids.slice(3));
    expect(second.next_page).toBeNull();
    expect(idsOf(await json('GET', '/sessions?include_archived=true'))).toEqual(ids);
  });

  it('record changes of title and metadata in the log', async () => {
    const { create, json } = await setup();
    const id = await create({ title: 'Old', metadata: { a: '1', b: '2' } });

    const changed = await json('POST', `/sessions/${id}`, { metadata: { a: null, c: '3' } });

    expect(changed).toMatchObject({ title: 'Old', metadata: { b: '2', c: '3' } });
    expect(await json('GET', `/sessions/${id}/events`)).toMatchObject({
      data: [{ type: 'session.updated', seq: 1, title: 'Old', metadata: { b: '2', c: '3' } }],
    });
  });

  it('reject events after being archived', async () => {
    const { create, call, json } = await setup();
    const id = await create();

    expect(await json('POST', `/sessions/${id}/archive`)).toMatchObject({
      archived_at: expect.any(String),
    });
    const refused = await call('POST', `/sessions/${id}/events`, { events: [message('hi')] });
    expect(refused.status).toBe(409);
  });

  it('are deleted with their events and runs', async () => {
    const { create, call, store } = await setup();
    const id = await create({ initial_events: [message('hello')] });

    expect(await (await call('DELETE', `/sessions/${id}`)).json()).toEqual({
      type: 'session_deleted',
      id,
    });
    expect((await call('GET', `/sessions/${id}`)).status).toBe(404);
    for (const table of ['events', 'runs'] as const) {
      await expect.poll(() => store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it('are created once for each idempotency key', async () => {
    const { create, json, call } = await setup();
    const body = { initial_events: [message('hi')] };
    const key = { 'idempotency-key': 'k1' };

    const ids = await Promise.all([create(body, key), create(body, key), create(body, key)]);

    expect(new Set(ids).size).toBe(1);
    expect((await json('GET', '/sessions')).data).toHaveLength(1);
    expect((await call('POST', '/sessions', { title: 'other' }, key)).status).toBe(409);
  });

  it('count once against the quota for simultaneous requests with the same idempotency key', async () => {
    const { requestAsPage, call } = await setup({
      agent: { publishable_keys: [{ key: 'pk_test', sessions_per_day: 2 }] },
    });
    const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: 'pk_test',
    });
    const { token } = (await response.json()) as { token: string };
    const body = { initial_events: [message('hi')] };
    const create = (key: string) =>
      call('POST', '/sessions', body, { 'idempotency-key': key }, token);

    const answers = await Promise.all(['a', 'a', 'a', 'a'].map(create));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await create('b')).status).toBe(200);
    expect((await create('c')).status).toBe(429);
  });

  it('are deleted with their events and runs even if messages are sent at the same time', async () => {
    const { create, call, store } = await setup();
    const id = await create();
    const send = () => call('POST', `/sessions/${id}/events`, { events: [message('hi')] });

    const [deleted, ...sent] = await Promise.all([
      call('DELETE', `/sessions/${id}`),
      ...Array.from({ length: 10 }, send),
      call('POST', `/sessions/${id}`, { title: 'x' }),
      call('POST', `/sessions/${id}/archive`),
    ]);

    expect(deleted?.status).toBe(200);
    // 409 between archiving and deletion.
    for (const { status } of sent) expect([200, 404, 409]).toContain(status);
    for (const table of ['sessions', 'events', 'runs'] as const) {
      await expect.poll(() => store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it('get no message after being archived, even from simultaneous requests', async () => {
    const { create, call, json, store } = await setup();
    const id = await create();
    const send = () => call('POST', `/sessions/${id}/events`, { events: [message('hi')] });

    await Promise.all([
      ...Array.from({ length: 5 }, send),
      call('POST', `/sessions/${id}/archive`),
      ...Array.from({ length: 5 }, send),
    ]);
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);

    const { data } = (await json('GET', `/sessions/${id}/events?limit=200`)) as {
      data: { type: string; archived_at?: string }[];
    };
    const archived = data.findIndex(({ archived_at }) => archived_at !== undefined);
    expect(archived).not.toBe(-1);
    expect(data.slice(archived).map(({ type }) => type)).not.toContain('user.message');
  });

  it('count against the daily quota of a publishable key if they are created with a message', async () => {
    const { requestAsPage, call } = await setup({
      agent: { publishable_keys: [{ key: 'pk_test', sessions_per_day: 1 }] },
    });
    const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: 'pk_test',
    });
    const { token } = (await response.json()) as { token: string };

    const body = { initial_events: [message('hi')] };

    expect((await call('POST', '/sessions', body, {}, token)).status).toBe(200);
    const refused = await call('POST', '/sessions', body, {}, token);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'EMBED_QUOTA_EXCEEDED', retryable: false });
    expect(refused.headers.get('retry-after')).toBe('43200');
  });
});

describe('a budget of 0', () => {
  it('prevents the creation of a session with a message', async () => {
    const { issue, call, json } = await setup();
    const { token } = await issue('bob', { budget_cents: 0 });

    const body = { initial_events: [message('hi')] };
    const refused = await call('POST', '/sessions', body, {}, token);

    expect(refused.status).toBe(402);
    expect((await json('GET', '/sessions', undefined, {}, token)).data).toEqual([]);
  });
});

describe('events', () => {
  it('S26: are appended once for each idempotency key, and repeated requests get the same response', async () => {
    const { create, call, json } = await setup();
    const id = await create();
    const send = (text: string) =>
      call(
        'POST',
        `/sessions/${id}/events`,
        { events: [message(text)] },
        { 'idempotency-key': 'k' },
      );

    const answers = await Promise.all([send('hi'), send('hi'), send('hi')]);
    const again = await send('hi');

    const bodies = await Promise.all([...answers, again].map((response) => response.text()));
    expect(new Set(bodies).size).toBe(1);
    await expect
      .poll(
        async () => (await json('GET', `/sessions/${id}/events?types[]=session.status_idle`)).data,
      )
      .toHaveLength(1);
    expect((await json('GET', `/sessions/${id}/events?types=user.message`)).data).toHaveLength(1);
    expect((await send('other')).status).toBe(409);
  });

  it('can be read in pages, in both directions, and filtered with `types` or `types[]`', async () => {
    const { create, json } = await setup();
    const id = await create();
    for (let n = 0; n < 5; n++) await json('POST', `/sessions/${id}`, { title: `${n}` });
    const seqs = (page: Record<string, unknown>) =>
      (page.data as { seq: number }[]).map(({ seq }) => seq);
    const path = `/sessions/${id}/events`;

    const first = await json('GET', `${path}?limit=3`);
    expect(seqs(first)).toEqual([1, 2, 3]);
    expect(seqs(await json('GET', `${path}?limit=3&page=${first.next_page}`))).toEqual([4, 5]);
    expect(seqs(await json('GET', `${path}?order=desc&limit=2`))).toEqual([5, 4]);
    expect(seqs(await json('GET', `${path}?types[]=session.updated&types[]=x`))).toHaveLength(5);
    expect(seqs(await json('GET', `${path}?types=user.message&beta=true`))).toEqual([]);
  });

  it.each([
    ['limit=0', '/query/limit'],
    ['limit=201', '/query/limit'],
    ['limit=x', '/query/limit'],
    ['order=up', '/query/order'],
    ['page=garbage', '/query/page'],
  ])('cannot be read with an invalid parameter: %s', async (query, pointer) => {
    const { create, json } = await setup();

    expect(await json('GET', `/sessions/${await create()}/events?${query}`)).toMatchObject({
      status: 400,
      errors: [{ pointer }],
    });
  });

  it.each([
    [{ events: [] }, '/events'],
    [{ events: [{ type: 'user.shout' }] }, '/events/0/type'],
    [{ events: [{ type: 'user.message', content: [] }] }, '/events/0/content'],
    [
      { events: [{ type: 'user.tool_confirmation', tool_use_id: 'evt_x', result: 'allow' }] },
      '/events/0/tool_use_id',
    ],
    [
      {
        events: [
          message('ok'),
          {
            type: 'user.message',
            content: [{ type: 'image', source: { type: 'file', file_id: 'file_x' } }],
          },
        ],
      },
      '/events/1/content/0/source/file_id',
    ],
  ])('are all rejected if one of them has an invalid field: $1', async (body, pointer) => {
    const { create, json } = await setup();
    const id = await create();

    expect(await json('POST', `/sessions/${id}/events`, body)).toMatchObject({
      status: 400,
      errors: [{ pointer }],
    });
    expect((await json('GET', `/sessions/${id}/events`)).data).toEqual([]);
  });

  it('can be rated, and a second rating replaces the first', async () => {
    const { create, json, store } = await setup();
    const id = await create({ initial_events: [message('hello')] });
    const find = async () => {
      const { data } = await json('GET', `/sessions/${id}/events?types[]=agent.message`);
      return (data as { id: string }[])[0]?.id;
    };
    await expect.poll(find).toBeTruthy();
    const event_id = await find();

    await json('POST', `/sessions/${id}/feedback`, { event_id, rating: 'up' });
    const second = { event_id, rating: 'down', comment: 'no' };
    expect(await json('POST', `/sessions/${id}/feedback`, second)).toMatchObject({
      type: 'feedback',
      session_id: id,
      ...second,
    });
    expect(await store.db.selectFrom('feedback').selectAll().execute()).toHaveLength(1);
    expect(
      await json('POST', `/sessions/${id}/feedback`, { event_id: 'evt_x', rating: 'up' }),
    ).toMatchObject({ errors: [{ pointer: '/event_id' }] });
  });

  it('can be rated with reasons, and the feedback is listed', async () => {
    const { create, json, call, issue } = await setup();
    const id = await create({ initial_events: [message('hello')] });
    const find = async () => {
      const { data } = await json('GET', `/sessions/${id}/events?types[]=agent.message`);
      return (data as { id: string }[])[0]?.id;
    };
    await expect.poll(find).toBeTruthy();
    const event_id = await find();
    expect(await json('GET', `/sessions/${id}/feedback`)).toEqual({ data: [] });

    const reasons = ['incorrect', 'unclear', 'incorrect'];
    await json('POST', `/sessions/${id}/feedback`, { event_id, rating: 'up', comment: 'ok' });
    await json('POST', `/sessions/${id}/feedback`, { event_id, rating: 'down', reasons });

    expect(await json('GET', `/sessions/${id}/feedback`)).toMatchObject({
      data: [{ event_id, rating: 'down', reasons: ['incorrect', 'unclear'], comment: null }],
    });
    expect(
      await json('POST', `/sessions/${id}/feedback`, { event_id, rating: 'up', reasons: ['rude'] }),
    ).toMatchObject({ errors: [{ pointer: '/reasons/0' }] });
    const eve = (await issue('eve')).token;
    expect((await call('GET', `/sessions/${id}/feedback`, undefined, {}, eve)).status).toBe(404);
  });

  it('cannot be rated if `features.feedback` is false', async () => {
    const { create, json } = await setup({
      agent: { appearance: { features: { feedback: false } } },
    });
    const body = { event_id: 'evt_x', rating: 'up' };

    expect(await json('POST', `/sessions/${await create()}/feedback`, body)).toMatchObject({
      status: 403,
      code: 'EMBED_FEATURE_DISABLED',
    });
  });
});
