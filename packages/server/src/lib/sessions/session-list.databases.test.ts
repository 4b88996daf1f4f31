import { describe, expect, it } from 'vitest';
import { insertSessionTexts } from '../testing/insert-session-texts.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';

const idle = isType('session.status_idle');

async function setup(options: SetupOptions = {}) {
  const server = await setupServer(options);
  const { token } = await server.issue();
  const call = (method: string, path: string, body?: unknown, userToken = token) =>
    server.requestAsUser(userToken, method, `/agent/v1${path}`, body);
  const json = async (...request: Parameters<typeof call>) =>
    (await (await call(...request)).json()) as Record<string, unknown>;
  const create = async (text?: string, fields: object = {}) => {
    const initial_events = text === undefined ? [] : [message(text)];
    const { id } = await json('POST', '/sessions', { initial_events, ...fields });
    await expect.poll(async () => (await json('GET', `/sessions/${id}`)).status).toBe('idle');
    await expect.poll(() => server.store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
    server.clock.advance(1000);
    return String(id);
  };
  const list = async (query = '', userToken = token) => {
    const page = await json('GET', `/sessions${query}`, undefined, userToken);
    const data = page.data as { id: string; preview: string | null }[];
    return { ids: data.map(({ id }) => id), data, next: page.next_page };
  };
  return { ...server, token, call, json, create, list };
}

describe('the list of conversations', () => {
  it('is ordered by the latest message of each conversation, and a new title does not change the order', async () => {
    const { create, list, json, clock } = await setup();
    const [a, b, c] = [await create('a'), await create('b'), await create('c')];

    await json('POST', `/sessions/${b}`, { title: 'Renamed' });
    expect((await list()).ids).toEqual([c, b, a]);

    await json('POST', `/sessions/${a}/events`, { events: [message('more')] });
    clock.advance(1000);
    expect((await list()).ids).toEqual([a, c, b]);
  });

  it('contains each conversation once over all pages, even if one becomes active between two pages', async () => {
    const { create, list, json } = await setup();
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.unshift(await create(`text ${n}`));

    const first = await list('?limit=2');
    // A session of the first page moves to the top between two requests.
    await json('POST', `/sessions/${ids[1]}/events`, { events: [message('more')] });
    const second = await list(`?limit=2&page=${first.next}`);
    const third = await list(`?limit=2&page=${second.next}`);

    expect([first.ids, second.ids, third.ids]).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4, 6),
    ]);
    expect(third.next).toBeNull();
  });

  it('has a stable order for conversations that were created at the same time', async () => {
    const { json, list } = await setup();
    for (let n = 0; n < 5; n++) await json('POST', '/sessions', {});
    const all = (await list()).ids;

    const pages: string[] = [];
    for (let page = await list('?limit=1'); ; page = await list(`?limit=1&page=${page.next}`)) {
      pages.push(...page.ids);
      if (page.next === null) break;
    }

    expect(pages).toEqual(all);
    expect(new Set(pages).size).toBe(5);
  });

  it('contains the start of the first message, truncated and on one line', async () => {
    const { create, list } = await setup();
    await create(`  Where\n\n is ${'😀'.repeat(100)}`);
    await create();

    const [empty, long] = (await list()).data;
    expect(empty?.preview).toBeNull();
    expect(long?.preview).toMatch(/^Where is 😀+…$/u);
    expect(long?.preview?.length).toBeLessThanOrEqual(140);
  });

  it('contains the start and the time of the last message, and whether a call waits', async () => {
    const { call, create, follow, log, send } = await setupConversation({
      agent: {
        model: {
          provider: 'scripted',
          delay_ms: 0,
          script: [{ say: 'One\n\nmoment. ' }, { call: 'pay', input: {} }, { say: 'Paid.' }],
        },
        tools: [
          { type: 'function', name: 'pay', description: '', permission: 'ask', run: () => 'ok' },
        ],
      },
    });
    const listed = async () => {
      const { data } = (await (await call('GET', '/sessions')).json()) as { data: object[] };
      return data[0];
    };
    const id = await create('Pay it');
    const stream = await follow(id);
    const { data: toolUse } = await stream.until(isType('agent.tool_use'));
    await stream.until(idle);
    expect(await listed()).toMatchObject({ last_message: 'One moment.', requires_action: true });

    await send(id, [{ type: 'user.tool_confirmation', tool_use_id: toolUse.id, result: 'allow' }]);
    await stream.until(isType('session.status_running'));
    await stream.until(idle);
    const answer = (await log(id)).findLast(({ type }) => type === 'agent.message');
    expect(await listed()).toMatchObject({
      last_message: 'Paid.',
      active_at: answer?.processed_at,
      requires_action: false,
    });
  });

  it('can be searched for text in titles and messages, ignoring case, in any script', async () => {
    const { create, list, json } = await setup();
    const greek = await create('Die Straße nach ΑΘΉΝΑ');
    const titled = await create('x', { title: 'Ferry 100% full_moon' });
    const answered = await create('weather');
    await json('POST', `/sessions/${answered}`, { title: 'Old' });
    await json('POST', `/sessions/${answered}`, { title: 'New' });

    const found = async (query: string) => (await list(`?query=${encodeURIComponent(query)}`)).ids;
    expect(await found('strasse')).toEqual([greek]);
    expect(await found('STRAẞE NACH αθήνα')).toEqual([greek]);
    expect(await found('100%')).toEqual([titled]);
    expect(await found('FULL_MOON')).toEqual([titled]);
    expect(await found('look that up')).toEqual([answered]);
    expect(await found('old')).toEqual([]);
    expect(await found('new')).toEqual([answered]);
    for (const query of ['f_ll_m__n', 'ferry%moon', 'full\\_moon', "'"]) {
      expect([query, await found(query)]).toEqual([query, []]);
    }
    expect(await found('   ')).toHaveLength(3);
  });

  it('cannot be searched for the JSON syntax of the log or for texts of other users', async () => {
    const { create, list, issue } = await setup();
    await create('hello there');
    const eve = await issue('eve');

    expect((await list('?query=processed_at')).ids).toEqual([]);
    expect((await list('?query=hello', eve.token)).ids).toEqual([]);
  });

  it('is searched in the first 65,536 characters of a text, even if case folding lengthens the text', async () => {
    const { create, list, store } = await setup();
    const id = await create('\ufdfa'.repeat(15_000));

    const rows = await store.db.selectFrom('session_texts').select('text').execute();
    expect(Math.max(...rows.map(({ text }) => text.length))).toBe(65_536);
    expect((await list(`?query=${encodeURIComponent('\ufdfa')}`)).ids).toEqual([id]);
  });

  it('can be searched for a repetitive query in repetitive texts of a million characters', async () => {
    const { create, list, store } = await setup();
    const id = await create('x');
    const text = 'a'.repeat(1_000_000);
    const rows = [1, 2, 3, 4].map((n) => ({ seq: n * 1000, text }));
    await insertSessionTexts(store, id, rows);

    // A naive search would block the event loop for ten seconds.
    expect((await list(`?query=${'a'.repeat(199)}b`)).ids).toEqual([]);
    expect((await list(`?query=${'a'.repeat(200)}`)).ids).toEqual([id]);
  });

  it('contains archived conversations only on request', async () => {
    const { create, list, json } = await setup();
    const [kept, archived] = [await create('kept'), await create('put away')];
    await json('POST', `/sessions/${archived}/archive`);

    expect((await list()).ids).toEqual([kept]);
    expect((await list('?archived=false')).ids).toEqual([kept]);
    expect((await list('?archived=true')).ids).toEqual([archived]);
    expect((await list('?archived=any')).ids).toEqual([archived, kept]);
    expect((await list('?include_archived=true')).ids).toEqual([archived, kept]);
    expect((await list('?archived=any&query=AWAY')).ids).toEqual([archived]);
  });

  it.each([
    ['archived=maybe', '/query/archived', 'must be true, false or any'],
    [`query=${'x'.repeat(201)}`, '/query/query', 'must have at most 200 characters'],
    ['query=a&query=b', '/query/query', 'must be sent once'],
    ['page=nonsense', '/query/page', 'must be the `next_page` of a page of this list, unchanged'],
  ])('rejects the query $0: $2', async (query, pointer, rule) => {
    const { json } = await setup();

    expect(await json('GET', `/sessions?${query}`)).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ pointer, message: rule }],
    });
  });
});

describe('an archived conversation', () => {
  it('accepts messages again after it is restored, and both changes are logged', async () => {
    const { create, call, json, list } = await setup();
    const id = await create('x');
    await json('POST', `/sessions/${id}/archive`);
    const sendMessage = () => call('POST', `/sessions/${id}/events`, { events: [message('more')] });
    expect(await (await sendMessage()).json()).toMatchObject({
      detail: expect.stringContaining('Unarchive'),
    });

    expect(await json('POST', `/sessions/${id}/unarchive`)).toMatchObject({ archived_at: null });
    expect((await call('POST', `/sessions/${id}/unarchive`)).status).toBe(200);

    expect((await sendMessage()).status).toBe(200);
    expect((await list()).ids).toEqual([id]);
    const log = await json('GET', `/sessions/${id}/events?types=session.updated`);
    expect(log.data).toMatchObject([{ archived_at: expect.any(String) }, { archived_at: null }]);
  });
});

describe('terminating a conversation', () => {
  const slow = { provider: 'scripted' as const, delay_ms: 15, first_delay_ms: 0 };

  it('interrupts the run, returns the reason, and prevents further messages', async () => {
    const { create, follow, send, backend, session } = await setupConversation({
      agent: { model: slow },
    });
    const id = await create('long');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));

    const ended = await backend('POST', `/agent/v1/sessions/${id}/terminate`, {
      reason: ' The ticket is closed. ',
    });
    await stream.until(isType('session.status_terminated'));

    expect(await ended.json()).toMatchObject({
      status: 'terminated',
      terminated_reason: 'The ticket is closed.',
    });
    expect(stream.seen.at(-1)?.data).toMatchObject({ reason: 'The ticket is closed.' });
    const refused = await send(id, [message('more')]);
    expect(await refused.json()).toMatchObject({
      code: 'CONFLICT',
      detail: 'This conversation was ended. Start a new one.',
    });
    expect(await session(id)).toMatchObject({ status: 'terminated' });
  });

  it('prevents simultaneous messages from restarting the conversation', async () => {
    const { create, backend, log, store, send } = await setupConversation({
      agent: { model: slow },
    });
    const ids = await Promise.all(Array.from({ length: 8 }, () => create()));

    await Promise.all(
      ids.flatMap((id) => [
        send(id, [message('hello')]),
        backend('POST', `/agent/v1/sessions/${id}/terminate`),
      ]),
    );
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);

    for (const id of ids) {
      const statuses = (await log(id)).filter(({ type }) => type.startsWith('session.status_'));
      expect(statuses.at(-1)?.type).toBe('session.status_terminated');
    }
  });

  it('keeps the first reason, and accepts a request without a reason', async () => {
    const { create, backend, json } = await setup();
    const [firstId, secondId] = [await create('x'), await create('y')];
    const end = (id: string, body?: object) =>
      backend('POST', `/agent/v1/sessions/${id}/terminate`, body);

    await end(firstId, { reason: 'first' });
    await end(firstId, { reason: 'second' });
    await end(secondId);

    expect(await json('GET', `/sessions/${firstId}`)).toMatchObject({ terminated_reason: 'first' });
    expect(await json('GET', `/sessions/${secondId}`)).toMatchObject({ terminated_reason: null });
    const log = await json('GET', `/sessions/${firstId}/events?types=session.status_terminated`);
    expect(log.data).toHaveLength(1);
  });

  it('requires an API key, and rejects a reason that is too long', async () => {
    const { create, backend, call } = await setup();
    const id = await create('x');

    expect((await call('POST', `/sessions/${id}/terminate`)).status).toBe(404);
    expect((await backend('POST', '/agent/v1/sessions/ses_none/terminate')).status).toBe(404);
    const long = await backend('POST', `/agent/v1/sessions/${id}/terminate`, {
      reason: 'x'.repeat(501),
    });
    expect(await long.json()).toMatchObject({
      errors: [{ pointer: '/reason', message: 'must have at most 500 characters' }],
    });
  });

  it('by a tool keeps the result of the tool, and makes no further model call', async () => {
    const { create, follow, session, send } = await setupConversation({
      agent: {
        model: {
          ...slow,
          delay_ms: 0,
          script: [{ call: 'close', input: {} }, { say: 'Never said.' }],
        },
        tools: [
          {
            type: 'function',
            name: 'close',
            description: '',
            run: (_, context) => {
              context.endConversation(' All is done. ');
              return 'closed';
            },
          },
        ],
      },
    });
    const id = await create('bye');
    const stream = await follow(id);
    const end = await stream.until(isType('session.status_terminated'));

    expect(end.data).toMatchObject({ reason: 'All is done.' });
    expect(stream.seen.find(isType('agent.tool_result'))?.data).toMatchObject({ is_error: false });
    expect(stream.seen.some(isType('agent.message'))).toBe(false);
    expect(await session(id)).toMatchObject({ terminated_reason: 'All is done.' });
    expect((await send(id, [message('more')])).status).toBe(409);
  });

  it('keeps the reason of the backend if a tool also ends the conversation', async () => {
    const { create, follow, session, backend, log, store } = await setupConversation({
      agent: {
        model: { ...slow, delay_ms: 0, script: [{ call: 'close', input: {} }] },
        tools: [
          {
            type: 'function',
            name: 'close',
            description: '',
            run: async (_, { sessionId, endConversation }) => {
              endConversation('second');
              await backend('POST', `/agent/v1/sessions/${sessionId}/terminate`, {
                reason: 'first',
              });
              return 'closed';
            },
          },
        ],
      },
    });
    const id = await create('bye');
    await (await follow(id)).until(isType('session.status_terminated'));
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);

    const ends = (await log(id)).filter(({ type }) => type === 'session.status_terminated');
    expect(ends).toMatchObject([{ reason: 'first' }]);
    expect(await session(id)).toMatchObject({ terminated_reason: 'first' });
  });

  it('keeps the partial answer in the log', async () => {
    const { create, follow, backend, log, store } = await setupConversation({
      agent: { model: slow },
    });
    const id = await create('long');
    const stream = await follow(id);
    await stream.until(isType('event_delta'));

    await backend('POST', `/agent/v1/sessions/${id}/terminate`);
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);

    const last = await log(id);
    expect(last.find(({ type }) => type === 'agent.message')).toMatchObject({
      incomplete: 'interrupted',
    });
    expect(last.some((event) => idle({ id: '', event: '', data: event }))).toBe(false);
  });
});
