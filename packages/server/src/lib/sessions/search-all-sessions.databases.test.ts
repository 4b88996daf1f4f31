import type { SessionRecord } from '@inlay/protocol';
import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { insertTexts } from '../events/search-index.ts';
import { problemOf } from '../testing/problem-of.ts';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';

async function setup(config: SetupOptions['config'] = {}) {
  const agent = (short_id: string) => ({
    short_id,
    name: short_id,
    model: { provider: 'scripted', first_delay_ms: 0, delay_ms: 0, script: [{ say: 'Yes.' }] },
    appearance: { features: { forget_me: true } },
    embed: {
      allowed_origins: [testOrigin],
      limits: { requests_per_second: 100_000, concurrent: 1000 },
    },
  });
  const server = await setupServer({
    config: { ...config, agents: [agent('test'), agent('other')] as never },
  });
  const { backend, clock, issue, requestAsUser, store } = server;
  const call = async (token: string, method: string, path: string, body?: object) => {
    const response = await requestAsUser(token, method, `/agent/v1${path}`, body);
    expect(response.status).toBe(200);
    return (await response.json()) as { id: string; data: { id: string }[] };
  };
  /** Starts a conversation with a message, and waits for its answer. Returns its id. */
  const create = async (token: string, text: string, fields: object = {}) => {
    const body = { initial_events: [message(text)], ...fields };
    const { id } = await call(token, 'POST', '/sessions', body);
    await expect.poll(() => store.db.selectFrom('runs').selectAll().execute()).toEqual([]);
    clock.advance(1_000);
    return id;
  };
  /** Adds sessions like the one with this id, with a text each; the first is the oldest. */
  const addSessions = async (id: string, texts: readonly string[]) => {
    const row = await store.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await store.transaction(async (transaction) => {
      for (const [n, text] of texts.entries()) {
        const session = { ...row, id: `ses_more_${n}`, active_at: Number(row.active_at) + 1 + n };
        await transaction.insertInto('sessions').values(session).execute();
        await insertTexts(transaction, row, [{ session_id: session.id, seq: 1, text }]);
      }
    });
  };
  const search = async (query: string, filters: Record<string, string> = {}) => {
    const response = await backend(
      'GET',
      `/agent/v1/sessions?${new URLSearchParams({ query, ...filters })}`,
    );
    expect(response.status).toBe(200);
    const page = (await response.json()) as { data: SessionRecord[]; next_cursor: string | null };
    return { ids: page.data.map(({ id }) => id), next: page.next_cursor };
  };
  return {
    ...server,
    addSessions,
    call,
    create,
    search,
    /** Returns the ids of the sessions on all pages. */
    async searchAll(query: string, filters: Record<string, string> = {}) {
      const ids: string[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const page = await search(query, { ...filters, ...(next && { page: next }) });
        ids.push(...page.ids);
        next = page.next;
      }
      return ids;
    },
    ada: (await issue('ada')).token,
    bob: (await issue('bob', { agent: 'other' })).token,
  };
}

describe('a search of all conversations', () => {
  it('finds the words of messages and titles of all users, in the order of the list', async () => {
    const { ada, bob, call, create, search } = await setup();
    const first = await create(ada, 'The Kettle leaks');
    const second = await create(bob, 'My kettles are fine');
    const titled = await create(ada, 'Hello', { title: 'Kettle, blue' });
    const other = await create(bob, 'A teakettle');
    expect((await search('kettle')).ids).toEqual([titled, second, first]);
    expect((await search('KETTLE the')).ids).toEqual([first]);
    expect((await search('kettle hello')).ids).toEqual([]);

    await call(ada, 'POST', `/sessions/${titled}`, { title: 'Pot' });
    await call(ada, 'POST', `/sessions/${first}/events`, { events: [message('teakettle')] });

    expect((await search('kettle')).ids).toEqual([first, second]);
    expect((await search('teak')).ids).toEqual([first, other]);
  });

  it.each([
    ['"kettle leaks"'],
    ['leaks* -kettle'],
    ['NEAR(kettle leaks)'],
    ['kettle:* & leaks | near'],
    ["'kettle' OR near leaks"],
    ['{terms} : kettle + leaks ^near'],
    ['kettle\u0000 ; drop table sessions -- leaks'],
  ])('treats `%s` as words without a syntax', async (query) => {
    const { ada, create, search } = await setup();
    const id = await create(ada, 'NEAR the kettle, OR terms of leaks: drop no table of sessions');
    await create(ada, 'kettle');
    await create(ada, 'leaks');

    expect((await search(query)).ids).toEqual([id]);
  });

  it.each([
    ['我想退款这张发票', '退款'],
    ['我想退款这张发票', '票'],
    ['ขอคืนเงินค่าตั๋ว', 'คืนเงิน'],
    ['Cafe\u0301 au lait', 'CAFÉ'],
    [`An identifier ${'a'.repeat(90)} of many letters`, 'a'.repeat(80)],
  ])('finds in %s the text %s', async (text, query) => {
    const { ada, create, search } = await setup();
    const id = await create(ada, text);
    await create(ada, 'Something else');

    expect((await search(query)).ids).toEqual([id]);
  });

  it('is combined with all filters', async () => {
    const { ada, bob, backend, call, clock, create, search } = await setup();
    const first = await create(ada, 'kettle', { metadata: { plan: 'pro' } });
    await create(ada, 'pot', { metadata: { plan: 'pro' } });
    const at = new Date(clock.now()).toISOString();
    clock.advance(1);
    const second = await create(bob, 'kettle');
    await call(ada, 'POST', `/sessions/${first}/archive`);
    await backend('POST', `/agent/v1/sessions/${second}/terminate`, {});

    for (const [filter, ids] of [
      [{ agent_id: 'test' }, [first]],
      [{ external_user_id: 'bob' }, [second]],
      [{ external_user_id: 'bob', agent_id: 'test' }, []],
      [{ active_after: at }, [second]],
      [{ active_before: at }, [first]],
      [{ status: 'terminated' }, [second]],
      [{ archived: 'true' }, [first]],
      [{ archived: 'false' }, [second]],
      [{ outcome: 'answered' }, [second, first]],
      [{ outcome: 'failed' }, []],
      [{ rating: 'up' }, []],
      [{ 'metadata[plan]': 'pro' }, [first]],
      [{ publishable_key: 'pk_test' }, []],
    ] as const) {
      expect([filter, (await search('kettle', filter)).ids]).toEqual([filter, ids]);
    }
  });

  it('has every match once over all pages, of rare and of frequent words', async () => {
    const { ada, addSessions, create, search, searchAll, store } = await setup();
    const first = await create(ada, 'kettle and lid');
    await skipIds(store);
    const texts = Array.from({ length: 1_300 }, (_, n) =>
      n % 6 > 0 ? 'a lid' : n % 300 === 0 ? 'a kettle' : `solid kett ${n}`,
    );
    await addSessions(first, texts);
    const idsOf = (word: string) =>
      texts
        .flatMap((text, n) => (text.split(' ').includes(word) ? [`ses_more_${n}`] : []))
        .toReversed();

    expect(await searchAll('kettle', { limit: '2' })).toEqual([...idsOf('kettle'), first]);
    expect(await searchAll('lid', { limit: '100' })).toEqual([...idsOf('lid'), first]);
    expect((await search('kettle lid')).ids).toEqual([first]);
    expect(await searchAll('lid', { 'metadata[plan]': 'pro' })).toEqual([]);
  });

  it('of frequent words covers `limits.request.search_bytes` of logs in a page', async () => {
    const { ada, addSessions, create, search, searchAll } = await setup({
      limits: { request: { search_bytes: 200_000 } },
    });
    const first = await create(ada, 'Hello');
    await addSessions(first, [
      ...Array.from({ length: 1_001 }, () => 'lid'),
      ...Array.from({ length: 500 }, () => 'solid'),
    ]);

    const page = await search('lid');

    expect([page.ids, page.next]).toEqual([[], expect.any(String)]);
    expect(await searchAll('lid')).toHaveLength(1_001);
  });

  it('finds a frequent word in the last message of a long conversation', async () => {
    const { ada, addSessions, create, search, store } = await setup();
    const id = await create(ada, 'Hello');
    await addSessions(
      id,
      Array.from({ length: 1_001 }, () => 'lid'),
    );
    const owner = { agent_id: 'other', external_user_id: 'bob' };
    const texts = Array.from({ length: 40 }, (_, n) => ({
      session_id: 'ses_more_1000',
      seq: 100 + n,
      text: n === 39 ? 'solid pot lid' : 'solid pot',
    }));
    await insertTexts(store.db, owner, texts);
    await store.db
      .updateTable('sessions')
      .set({ log_bytes: 2_000_000 })
      .where('id', '=', 'ses_more_1000')
      .execute();
    await store.db
      .deleteFrom('session_texts')
      .where('seq', '=', 1)
      .where('session_id', '=', 'ses_more_1000')
      .execute();

    expect((await search('lid', { limit: '1' })).ids).toEqual(['ses_more_1000']);
  });

  it('does not find what was deleted, by a backend or by the user', async () => {
    const { ada, bob, backend, call, create, search, store } = await setup();
    const deleted = await create(ada, 'kettle');
    const kept = await create(ada, 'kettle');
    await create(bob, 'kettle');

    await backend('DELETE', `/agent/v1/sessions/${deleted}`);
    await call(bob, 'POST', '/embed/forget_me');

    expect((await search('kettle')).ids).toEqual([kept]);
    const texts = () => store.db.selectFrom('session_texts').select('session_id').execute();
    await expect
      .poll(async () => new Set((await texts()).map(({ session_id }) => session_id)))
      .toEqual(new Set([kept]));
  });

  it('finds what a process of the previous version has stored after the next sweep, as its user does', async () => {
    const { ada, call, clock, create, search, store } = await setup();
    const ids: string[] = [];
    for (let n = 0; n < 25; n += 1) ids.unshift(await create(ada, `kettle ${n}`));
    await removeWords(store);
    expect((await search('kettle')).ids).toEqual([]);

    await expect
      .poll(async () => {
        clock.advance(60_000);
        return (await search('kettle', { limit: '50' })).ids;
      })
      .toEqual(ids);

    expect((await call(ada, 'GET', '/sessions?query=kettle&limit=50')).data).toHaveLength(25);
  });

  it.each([
    ['query=-*', 'must contain a letter or a digit'],
    ['query=🫖', 'must contain a letter or a digit'],
    [`query=${'a'.repeat(201)}`, 'must have at most 200 characters'],
    ['query=a&query=b', 'must be sent once'],
  ])('refuses `%s`', async (query, message) => {
    const { backend } = await setup();

    const response = await backend('GET', `/agent/v1/sessions?${query}`);

    expect(response.status).toBe(400);
    const { errors } = await problemOf(response);
    expect(errors).toEqual([
      { pointer: '/query/query', message: expect.stringContaining(message) },
    ]);
  });
});

type Store = Awaited<ReturnType<typeof setup>>['store'];

/** Gives the next text an id as if 40,000 texts had been stored before. PostgreSQL has no such ids. */
async function skipIds({ db }: Store): Promise<void> {
  if (inject('postgres') !== undefined) return;
  await sql`insert into session_texts (id, session_id, seq, text)
    values (40000, 'ses_none', 1, '')`.execute(db);
}

/** Leaves the terms that the previous version has stored: those of the user. */
async function removeWords({ db }: Store): Promise<void> {
  if (inject('postgres') === undefined) {
    const { rows } = await sql<{ id: number }>`select id from session_texts`.execute(db);
    for (const { id } of rows) {
      await sql`insert or replace into session_terms (rowid, terms) values (${id}, '')`.execute(db);
    }
  } else {
    await sql`update session_texts set terms = array_to_tsvector(
      array(select term from unnest(tsvector_to_array(terms)) as term where term !~ '^x'))`.execute(
      db,
    );
  }
  await db.updateTable('session_texts').set({ has_words: 0 }).execute();
}
