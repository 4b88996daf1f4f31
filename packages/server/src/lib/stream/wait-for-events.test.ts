import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../clock.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { message, setupConversation } from '../testing/setup-conversation.ts';
import { type SetupOptions, testOrigin } from '../testing/setup-server.ts';

/** A fake clock, and the delays of its pending timers in milliseconds. */
function createWatchedClock() {
  const clock = createFakeClock();
  const delays = new Map<symbol, number>();
  const observedClock: Clock = {
    now: clock.now,
    after(milliseconds, callback) {
      const key = Symbol();
      delays.set(key, milliseconds);
      const cancel = clock.after(milliseconds, () => {
        delays.delete(key);
        callback();
      });
      return () => {
        delays.delete(key);
        cancel();
      };
    },
  };
  return { clock: observedClock, advance: clock.advance, delays: () => [...delays.values()] };
}

async function setup(options: SetupOptions = {}) {
  const time = createWatchedClock();
  const conversation = await setupConversation({ realClock: time.clock, ...options });
  const { url, token } = conversation;
  const get = (id: string, query: string, userToken = token, signal?: AbortSignal) =>
    fetch(`${url}/agent/v1/sessions/${id}/events?${query}`, {
      headers: { authorization: `Bearer ${userToken}`, origin: testOrigin },
      ...(signal && { signal }),
    });
  return {
    ...conversation,
    time,
    get,
    /** Starts a long poll, and resolves when the server waits for events. */
    async wait(id: string, query: string, userToken = token, signal?: AbortSignal) {
      const response = get(id, `wait=25&${query}`, userToken, signal);
      response.catch(() => {});
      await expect.poll(time.delays).toContain(25_000);
      return { response };
    },
    rename: (id: string, title: string) => conversation.call('POST', `/sessions/${id}`, { title }),
  };
}

interface Page {
  data: { seq: number; type: string; title?: string }[];
  next_page: string | null;
  code?: string;
}
const pageOf = async (response: Response | Promise<Response>) =>
  (await (await response).json()) as Page;
const seqs = ({ data }: Page) => data.map(({ seq }) => seq);

describe('GET /sessions/{id}/events with after_seq', () => {
  it('returns the events after that `seq`, in pages', async () => {
    const { create, rename, get } = await setup();
    const id = await create();
    for (const title of ['a', 'b', 'c', 'd']) await rename(id, title);

    const first = await pageOf(get(id, 'after_seq=1&limit=2&wait=25'));

    expect(seqs(first)).toEqual([2, 3]);
    expect(seqs(await pageOf(get(id, `page=${first.next_page}`)))).toEqual([4]);
    expect(seqs(await pageOf(get(id, 'after_seq=4')))).toEqual([]);
    expect(seqs(await pageOf(get(id, 'after_seq=0')))).toEqual([1, 2, 3, 4]);
  });

  it('returns the next event as soon as it is stored', async () => {
    const { create, rename, wait } = await setup();
    const id = await create();
    await rename(id, 'before');

    const { response } = await wait(id, 'after_seq=1');
    await rename(id, 'after');

    expect(await pageOf(response)).toMatchObject({
      data: [{ seq: 2, type: 'session.updated', title: 'after' }],
      next_page: null,
    });
    expect((await response).headers.get('x-ratelimit-limit-requests')).toBe('100000');
  });

  it('returns all events of a run in consecutive requests', async () => {
    const { create, get, log, send } = await setup();
    const id = await create();
    await send(id, [message('hello')]);

    const seen: Page['data'] = [];
    while (seen.at(-1)?.type !== 'session.status_idle') {
      seen.push(...(await pageOf(get(id, `after_seq=${seen.at(-1)?.seq ?? 0}&wait=25`))).data);
    }

    expect(seen).toEqual(await log(id));
  });

  it('returns an empty page after the timeout', async () => {
    const { create, wait, time } = await setup();
    const { response } = await wait(await create(), 'after_seq=0');
    let isAnswered = false;
    void response.then(() => {
      isAnswered = true;
    });

    time.advance(24_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    time.advance(1);

    expect(await pageOf(response)).toEqual({ data: [], next_cursor: null, next_page: null });
  });

  it('waits for an event of the requested types', async () => {
    const { create, rename, wait, send } = await setup();
    const id = await create();

    const { response } = await wait(id, 'after_seq=0&types[]=user.interrupt');
    await rename(id, 'one');
    await rename(id, 'two');
    await send(id, [message('hello'), { type: 'user.interrupt' }]);

    expect(seqs(await pageOf(response))).toEqual([4]);
  });

  it('returns an event whose bus message was lost', async () => {
    const { create, wait, store, time } = await setup();
    const id = await create();
    const { response } = await wait(id, 'after_seq=0');

    const event = { type: 'session.updated', id: 'evt_x', processed_at: '', seq: 1, title: 'x' };
    const { type, seq } = event;
    await store.db
      .insertInto('events')
      .values({
        session_id: id,
        seq,
        id: 'evt_x',
        type,
        json: JSON.stringify(event),
        processed_at: 0,
      })
      .execute();
    await store.db.updateTable('sessions').set({ last_seq: 1 }).where('id', '=', id).execute();
    time.advance(2_000);

    expect(seqs(await pageOf(response))).toEqual([1]);
  });

  it('returns an empty page when the server shuts down', async () => {
    const { create, wait, app } = await setup();
    const { response } = await wait(await create(), 'after_seq=0');

    await app.close();

    expect((await response).status).toBe(200);
    expect(seqs(await pageOf(response))).toEqual([]);
  });

  it('returns 404 if the session is deleted while the request waits', async () => {
    const { create, wait, call } = await setup();
    const id = await create();
    const { response } = await wait(id, 'after_seq=0');

    await call('DELETE', `/sessions/${id}`);

    expect((await response).status).toBe(404);
  });

  it('counts as a concurrent request until the client disconnects', async () => {
    const { create, wait, get, time } = await setup({
      agent: {
        embed: {
          allowed_origins: [testOrigin],
          limits: { requests_per_second: 100, concurrent: 1 },
        },
      },
    });
    const id = await create();
    const before = time.delays().length;
    const page = new AbortController();
    const { response } = await wait(id, 'after_seq=0', undefined, page.signal);

    const refused = await get(id, '');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
    page.abort();

    await expect(response).rejects.toThrow();
    await expect.poll(async () => (await get(id, '')).status).toBe(200);
    expect(time.delays()).toHaveLength(before);
  });

  it('fails, and stops counting as a concurrent request, if the store fails', async () => {
    let whenRegistered = () => {};
    const clock = createFakeClock();
    const observedClock: Clock = {
      now: clock.now,
      after(milliseconds, callback) {
        // The timer for the token's expiry is set when the long poll is registered.
        if (milliseconds === 600_000) whenRegistered();
        return clock.after(milliseconds, callback);
      },
    };
    const { create, get, store } = await setup({
      realClock: observedClock,
      agent: {
        embed: {
          allowed_origins: [testOrigin],
          limits: { requests_per_second: 100, concurrent: 1 },
        },
      },
    });
    const id = await create();
    let broken: Promise<unknown> | null = null;
    whenRegistered = () => {
      broken ??= sql`alter table events rename to hidden`.execute(store.db);
    };

    const response = await get(id, 'after_seq=0&wait=25');

    expect(response.status).toBe(500);
    await broken;
    await sql`alter table hidden rename to events`.execute(store.db);
    expect((await get(id, '')).status).toBe(200);
  });

  it.each([
    ['after_seq=-1', '/query/after_seq'],
    ['after_seq=x', '/query/after_seq'],
    ['after_seq=1.5', '/query/after_seq'],
    ['after_seq=1&order=desc', '/query/after_seq'],
    ['after_seq=1&page=c2VxIDE', '/query/after_seq'],
    ['after_seq=1&wait=26', '/query/wait'],
    ['after_seq=1&wait=-1', '/query/wait'],
    ['after_seq=1&wait=soon', '/query/wait'],
    ['wait=5', '/query/wait'],
  ])('is rejected with an invalid parameter: %s', async (query, pointer) => {
    const { create, get } = await setup();

    const response = await get(await create(), query);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ pointer }] });
  });
});

describe('a token that becomes invalid during a long poll', () => {
  it.each([
    ['revoked', 'EMBED_TOKEN_REVOKED'],
    ['revoked with a lost bus message', 'EMBED_TOKEN_REVOKED'],
    ['expired', 'EMBED_TOKEN_EXPIRED'],
    ['revoked by a block', 'EMBED_TOKEN_REVOKED'],
    ['revoked by a block in the settings', 'EMBED_TOKEN_REVOKED'],
  ])('ends the long poll with a problem if it is %s', async (end, code) => {
    const { create, wait, backend, issue, store, time } = await setup();
    const id = await create();
    const other = await issue('ada', { ttl_seconds: 60 });
    time.advance(40_000);
    const { response } = await wait(id, 'after_seq=0', other.token);

    const actions: Record<string, () => unknown> = {
      revoked: () => backend('POST', `/agent/v1/embed_tokens/${other.id}/revoke`),
      'revoked with a lost bus message': async () => {
        await store.db
          .updateTable('issuances')
          .set({ revoked_at: time.clock.now() })
          .where('id', '=', other.id)
          .execute();
        time.advance(2_000);
      },
      expired: () => time.advance(20_000),
      'revoked by a block': () => backend('POST', '/agent/v1/agents/test/end_users/ada/block'),
      'revoked by a block in the settings': () =>
        backend('POST', '/agent/v1/agents/test', { embed: { blocked_end_users: ['ada'] } }),
    };
    await actions[end]?.();

    expect((await response).status).toBe(401);
    expect(await pageOf(response)).toMatchObject({ code });
  });
});
