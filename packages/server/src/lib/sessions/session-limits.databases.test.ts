import type { LogEvent } from '@inlay/protocol';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ConfigInput } from '../config/config.ts';
import type { Store } from '../store/store.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';

const idle = isType('session.status_idle');
const interrupt = { type: 'user.interrupt' };

const setup = (limits: ConfigInput['limits'] = {}, options: object = {}) =>
  setupConversation({ config: { limits }, ...options });

type Server = Awaited<ReturnType<typeof setup>>;

/** Writes agent messages with this text directly into the store. */
async function fill({ store }: Server, id: string, count: number, text: string) {
  const content = JSON.stringify([{ type: 'text', text }]);
  await sql`
    insert into events (session_id, seq, id, type, json, processed_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
    select ${id}, i, 'evt_' || i, 'agent.message',
      '{"type":"agent.message","id":"evt_' || i || '","seq":' || i || ',"processed_at":"",'
      || ${`"content":${content}}`}, 0
    from n`.execute(store.db);
  await setLastSeq(store, id, count);
}

function setLastSeq({ db }: Store, id: string, seq: number) {
  return db.updateTable('sessions').set({ last_seq: seq }).where('id', '=', id).execute();
}

const pageOf = async (response: Response) =>
  (await response.json()) as { data: LogEvent[]; next_page: string | null };

describe('an event', () => {
  it('is rejected if it has more than 65,536 bytes in UTF-8', async () => {
    const { call, create, send } = await setup();
    const id = await create();
    const long = message('é'.repeat(33_000));

    const sent = await send(id, [message('short'), long]);
    const created = await call('POST', '/sessions', { initial_events: [long] });

    expect(sent.status).toBe(400);
    expect(await sent.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ pointer: '/events/1', message: expect.stringContaining('at most 65536 bytes') }],
    });
    expect(created.status).toBe(400);
    expect(await created.json()).toMatchObject({ errors: [{ pointer: '/initial_events/0' }] });
    expect((await send(id, [message('é'.repeat(32_000))])).status).toBe(200);
  });

  it('is measured with all its members, including unknown members', async () => {
    const { create, send } = await setup();
    const block = { type: 'text', text: 'x', junk: 'y'.repeat(70_000) };

    const response = await send(await create(), [{ type: 'user.message', content: [block] }]);

    expect(response.status).toBe(400);
  });

  it('counts against a daily quota for all sessions of the user, unless it is an interrupt', async () => {
    const { call, create, send, issue } = await setup(
      { user: { message_bytes_per_day: 3_000 } },
      { agent: { model: { provider: 'scripted', delay_ms: 50, first_delay_ms: 0 } } },
    );
    const [first, second] = [await create('table'), await create()];
    expect((await send(first, [message('x'.repeat(1_500))])).status).toBe(200);

    const refused = await send(second, [message('y'.repeat(1_500))]);
    const created = await call('POST', '/sessions', {
      initial_events: [message('z'.repeat(1_500))],
    });
    const other = await call('POST', '/sessions', {}, {}, (await issue('eve')).token);

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'EMBED_QUOTA_EXCEEDED' });
    expect(created.status).toBe(429);
    expect(other.status).toBe(200);
    expect((await send(first, [interrupt])).status).toBe(200);
  });

  it('counts against the daily quota of messages if it changes the metadata', async () => {
    const { call, create } = await setup({ user: { message_bytes_per_day: 3_000 } });
    const id = await create('table');
    const change = (note: string) => call('POST', `/sessions/${id}`, { metadata: { note } });

    expect((await change('x'.repeat(500))).status).toBe(200);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await change('y'.repeat(500))).status);

    expect(statuses).toContain(429);
    const session = await (await call('GET', `/sessions/${id}`)).json();
    expect(session).toMatchObject({ metadata: { note: 'y'.repeat(500) } });
  });

  it('is not stored a second time with the response of an idempotent request', async () => {
    const { create, send, store } = await setup();
    const id = await create();
    const text = 'A sentence that is kept once. ';
    const key = { 'idempotency-key': 'one' };

    const first = await (await send(id, [message(text), interrupt], key)).text();
    const again = await (await send(id, [message(text), interrupt], key)).text();

    expect(JSON.parse(first).data).toHaveLength(2);
    expect(again).toBe(first);
    const rows = await store.db.selectFrom('idempotency').select('response').execute();
    expect(JSON.stringify(rows)).not.toContain('A sentence');
  });
});

describe('a session', () => {
  it('rejects events beyond `session.events`, and can still be archived', async () => {
    const { call, create, send, log } = await setup({ session: { events: 10 } });
    const id = await create();
    for (let index = 0; index < 10; index += 1)
      await call('POST', `/sessions/${id}`, { title: `${index}` });

    const answers = [
      await send(id, [message('one more')]),
      await call('POST', `/sessions/${id}`, { title: 'again' }),
    ];

    for (const answer of answers) {
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({
        code: 'CONFLICT',
        detail: 'This conversation is full. Start a new one.',
      });
    }
    // The session is not archived, so this changes nothing.
    expect((await call('POST', `/sessions/${id}/unarchive`)).status).toBe(200);
    expect((await call('POST', `/sessions/${id}/archive`)).status).toBe(200);
    expect((await call('POST', `/sessions/${id}/unarchive`)).status).toBe(409);
    expect(await log(id)).toHaveLength(11);
  });

  it('does not exceed `session.events` if it is unarchived and renamed at the same time', async () => {
    const { call, create, log } = await setup({ session: { events: 10 } });
    const id = await create();
    const rename = () => call('POST', `/sessions/${id}`, { title: 'x' });
    for (let index = 0; index < 8; index += 1) await rename();
    await call('POST', `/sessions/${id}/archive`);

    const responses = await Promise.all([
      call('POST', `/sessions/${id}/unarchive`),
      rename(),
      rename(),
    ]);

    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await log(id)).toHaveLength(10);
  });

  it('rejects messages beyond `session.log_bytes`, which includes the agent’s messages', async () => {
    const { create, follow, send } = await setup({ session: { log_bytes: 3_000 } });
    const id = await create('table');
    const stream = await follow(id);
    await stream.until(idle);
    let status = 200;
    let sent = 0;
    while (status === 200 && sent < 20) {
      status = (await send(id, [message('x'.repeat(300)), interrupt])).status;
      sent += 1;
    }

    expect(status).toBe(409);
    expect(sent).toBeLessThan(10);
  });

  it('stores no interrupt without a run, and only one of several in a row', async () => {
    const { create, send, log } = await setup();
    const id = await create();

    const response = await send(id, Array<object>(20).fill(interrupt));
    await send(id, [message('hello'), ...Array<object>(19).fill(interrupt)]);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: [] });
    const types = (await log(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'user.interrupt')).toHaveLength(1);
  });

  it('is answered even if its log has 130,000 events', async () => {
    const server = await setup({ session: { events: 1_000_000, log_bytes: 1_000_000_000 } });
    const id = await server.create();
    await fill(server, id, 130_000, 'x');

    expect((await server.send(id, [message('hello')])).status).toBe(200);
    const stream = await server.follow(id, { 'last-event-id': '130000' });
    const end = await stream.until(idle);

    expect(end.data).toMatchObject({ stop_reason: { type: 'end_turn' } });
    expect(server.logLines.filter((line) => line.includes('run failed'))).toEqual([]);
  });

  it('ends its run with an error after five attempts if its log is unreadable', async () => {
    const { create, store } = await setup();
    const id = await create();
    await store.db
      .insertInto('events')
      .values({
        session_id: id,
        seq: 1,
        id: 'x',
        type: 'agent.message',
        json: '{',
        processed_at: 0,
      })
      .execute();
    await setLastSeq(store, id, 1);
    await store.db
      .insertInto('runs')
      .values({ session_id: id, id: 'r', user_scope: 'user:agt:ada', started_at: 0, attempt: 5 })
      .execute();

    const types = async () => {
      const rows = await store.db.selectFrom('events').select('type').orderBy('seq').execute();
      return rows.map(({ type }) => type);
    };
    await expect.poll(types).toEqual(['agent.message', 'session.error', 'session.status_idle']);
    expect(await store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
  });
});

describe('the log', () => {
  it('is returned in pages of at most `event_page_bytes`', async () => {
    const server = await setup({ request: { event_page_bytes: 2_500 } });
    const { call, create } = server;
    const id = await create();
    await fill(server, id, 3, 'x'.repeat(900));
    await call('POST', `/sessions/${id}`, { title: 'short' });
    const readPages = async (query: string) => {
      const counts: number[] = [];
      const seqs: number[] = [];
      let next: string | null = '';
      while (next !== null) {
        const path: string = `/sessions/${id}/events?${query}${next && `&page=${next}`}`;
        const page = await pageOf(await call('GET', path));
        counts.push(page.data.length);
        for (const { seq } of page.data) seqs.push(seq);
        next = page.next_page;
      }
      return { counts, seqs };
    };

    expect(await readPages('limit=200')).toEqual({ counts: [2, 2], seqs: [1, 2, 3, 4] });
    expect(await readPages('limit=1')).toEqual({ counts: [1, 1, 1, 1], seqs: [1, 2, 3, 4] });
    expect(await readPages('order=desc')).toEqual({ counts: [3, 1], seqs: [4, 3, 2, 1] });
  });

  it('has a separate page for an event that exceeds the maximum size of a page', async () => {
    const server = await setup({ request: { event_page_bytes: 1_024, replay_page_bytes: 1_024 } });
    const id = await server.create();
    await fill(server, id, 2, 'x'.repeat(5_000));

    const page = await pageOf(await server.call('GET', `/sessions/${id}/events`));
    const stream = await server.follow(id);
    await stream.until(({ data }) => data.seq === 2);

    expect(page.data).toHaveLength(1);
    expect(page.next_page).not.toBeNull();
    expect(stream.seen.map(({ id }) => id)).toEqual(['1', '2']);
  });
});
