/**
 * Behaviour of both database engines, with two servers that share a store but no bus. On SQLite,
 * the servers also share the connection. `processes.slow.test.ts` tests separate processes.
 */
import type { LogEvent } from '@inlay/protocol';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { RunQueue } from '../runs/run-queue.ts';
import { listen } from '../testing/listen.ts';
import { message } from '../testing/setup-conversation.ts';
import { type SetupOptions, setupServer, testOrigin } from '../testing/setup-server.ts';
import { type Stores, storeEngines } from '../testing/store-engines.ts';
import { Worker } from '../workers/worker.ts';
import type { Store } from './store.ts';

const firstMessage = { initial_events: [message('Hello')] };
/** Numbers of 32 simultaneous requests. */
const requestNumbers = Array.from({ length: 32 }, (_, index) => index);
const statusesOf = (responses: readonly Response[]) =>
  responses.map(({ status }) => status).toSorted((a, b) => a - b);
const count = (statuses: readonly number[], expected: number) =>
  statuses.filter((status) => status === expected).length;

describe.each(Object.keys(storeEngines))('a store on %s', (engine) => {
  let stores: Stores;
  beforeAll(async () => {
    stores = await (storeEngines[engine] as () => Promise<Stores>)();
  });
  afterAll(() => stores.end());

  /** Two servers and a user; calls alternate between the servers. */
  async function setup(options: SetupOptions = {}, used: readonly Store[] = stores.pair) {
    const name = expect.getState().currentTestName ?? '';
    const servers = await Promise.all(
      used.map((sharedStore, index) =>
        setupServer({ ...options, sharedStore, seed: `${name} ${index}` }),
      ),
    );
    let callCount = 0;
    const nextServer = () => servers[callCount++ % servers.length] as (typeof servers)[number];
    const user = `user-${name.replaceAll(/\W+/g, '-').slice(0, 100)}`;
    const { token } = await nextServer().issue(user);
    const call = (method: string, path: string, body?: unknown, headers = {}, userToken = token) =>
      nextServer().requestAsUser(userToken, method, `/agent/v1${path}`, body, headers);
    return {
      user,
      token,
      nextServer,
      call,
      async create(...texts: string[]): Promise<string> {
        const created = await call('POST', '/sessions', { initial_events: texts.map(message) });
        expect(created.status).toBe(200);
        return ((await created.json()) as { id: string }).id;
      },
      async log(id: string): Promise<LogEvent[]> {
        const response = await call('GET', `/sessions/${id}/events?limit=200`);
        return ((await response.json()) as { data: LogEvent[] }).data;
      },
      upload(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
        const body = new FormData();
        body.append('file', new File([bytes], name));
        const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
        return Promise.resolve(
          nextServer().app.request('/agent/v1/files', { method: 'POST', body, headers }),
        );
      },
    };
  }

  const userMessages = (events: readonly LogEvent[]) =>
    events.filter((event) => event.type === 'user.message');

  it('selects distinct rows', async () => {
    const [{ db }] = stores.pair;
    await db
      .insertInto('sign_in_attempts')
      .values([1, 2].map((since) => ({ key: `${since}`, count: 7, since })))
      .execute();

    const rows = await db.selectFrom('sign_in_attempts').select('count').distinct().execute();

    expect(rows.map((row) => Number(row.count))).toEqual([7]);
  });

  it('numbers the events of a session without gaps', async () => {
    const { create, call, log } = await setup();
    const id = await create();

    const sent = await Promise.all(
      requestNumbers.map((n) =>
        call('POST', `/sessions/${id}/events`, { events: [message(`${n}`)] }),
      ),
    );

    const events = await log(id);
    expect(count(statusesOf(sent), 200)).toBe(32);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(userMessages(events)).toHaveLength(32);
  });

  it('performs requests with the same idempotency key once, and returns the same response to each', async () => {
    const { create, call, log } = await setup();
    const id = await create();
    const key = { 'idempotency-key': 'the-same' };

    const sendResponses = await Promise.all(
      requestNumbers.map(async () => {
        const body = { events: [message('once')] };
        return (await call('POST', `/sessions/${id}/events`, body, key)).text();
      }),
    );
    const responses = await Promise.all(
      requestNumbers.map(async () =>
        (await call('POST', '/sessions', { title: 'once' }, key)).text(),
      ),
    );

    expect(new Set(sendResponses).size).toBe(1);
    expect(userMessages(await log(id))).toHaveLength(1);
    expect(new Set(responses).size).toBe(1);
  });

  it('E02: redeems a code once', async () => {
    const { nextServer } = await setup();
    const { hosted_url } = await nextServer().issue('guest', { hosted: true });
    const body = { code: hosted_url?.split('#c=')[1] };

    const redeemed = await Promise.all(
      requestNumbers.map(() =>
        nextServer().requestAsPage('POST', '/agent/v1/embed/exchange', body),
      ),
    );

    expect(statusesOf(redeemed)).toEqual([200, ...Array(31).fill(404)]);
  });

  it('appends no message to a session after it was archived or deleted, even for simultaneous requests', async () => {
    const { create, call, log, nextServer } = await setup();
    const [archived, deleted] = [await create(), await create()];
    const race = (id: string, method: string, path: string) =>
      Promise.all(
        requestNumbers.map((n) =>
          n === 16
            ? call(method, path)
            : call('POST', `/sessions/${id}/events`, { events: [message('hello')] }),
        ),
      );

    await race(archived, 'POST', `/sessions/${archived}/archive`);
    await race(deleted, 'DELETE', `/sessions/${deleted}`);

    const events = await log(archived);
    const end = events.find((event) => event.type === 'session.updated')?.seq ?? 0;
    expect(end).toBeGreaterThan(0);
    expect(userMessages(events).filter(({ seq }) => seq > end)).toEqual([]);
    for (const table of ['events', 'runs', 'session_texts'] as const) {
      const remaining = await nextServer()
        .store.db.selectFrom(table)
        .select('session_id')
        .where('session_id', '=', deleted)
        .execute();
      expect([table, remaining]).toEqual([table, []]);
    }
  });

  it('stores all simultaneous changes of a session', async () => {
    const { create, call } = await setup();
    const id = await create();
    const keys = requestNumbers.slice(0, 16).map((n) => `key-${n}`);

    await Promise.all(
      keys.map((key) => call('POST', `/sessions/${id}`, { metadata: { [key]: 'set' } })),
    );

    const { metadata } = (await (await call('GET', `/sessions/${id}`)).json()) as {
      metadata: object;
    };
    expect(Object.keys(metadata).toSorted()).toEqual(keys.toSorted());
  });

  it('has no valid token of a user who is blocked while tokens are issued', async () => {
    const { nextServer } = await setup();
    const users = requestNumbers.slice(0, 16).map((n) => `blocked-${n}-on-${engine}`);
    const path = (user: string) => `/agent/v1/agents/test/end_users/${user}`;
    const issue = (user: string) =>
      nextServer().backend('POST', '/agent/v1/embed_tokens', {
        agent: 'test',
        external_user_id: user,
      });

    await Promise.all(
      users.flatMap((user) => [
        issue(user),
        nextServer().backend('POST', `${path(user)}/block`),
        issue(user),
        issue(user),
      ]),
    );
    await Promise.all(users.map((user) => nextServer().backend('POST', `${path(user)}/unblock`)));

    const remaining = await nextServer()
      .store.db.selectFrom('issuances')
      .select('external_user_id')
      .where('external_user_id', 'in', users)
      .where('revoked_at', 'is', null)
      .execute();
    expect(remaining).toEqual([]);
  });

  it.each([
    ['revoke', 'EMBED_TOKEN_REVOKED'],
    ['expire', 'EMBED_TOKEN_EXPIRED'],
  ])(
    'ends the streams of the other server with a token that one is asked to %s',
    async (operation, code) => {
      const { nextServer, user, create } = await setup();
      const id = await create('Hello');
      const [one, other] = [nextServer(), nextServer()];
      const { token, id: issuanceId } = await one.issue(user);
      const http = await listen(other.app);
      const stream = await fetch(`${http.url}/agent/v1/sessions/${id}/events/stream`, {
        headers: { authorization: `Bearer ${token}`, origin: testOrigin },
      });
      let text = '';
      const end = stream.text().then((all) => {
        text = all;
      });

      await one.backend('POST', `/agent/v1/embed_tokens/${issuanceId}/${operation}`);

      await expect
        .poll(() => {
          other.clock.advance(500);
          return text;
        })
        .toContain(code);
      await end;
    },
  );

  it('accepts simultaneous uploads up to the daily quota', async () => {
    const { upload } = await setup({ config: { limits: { user: { file_bytes_per_day: 5000 } } } });

    const uploaded = await Promise.all(
      requestNumbers.map((n) => upload(`${n}`, Buffer.alloc(1000, 'x'))),
    );

    expect(statusesOf(uploaded)).toEqual([...Array(5).fill(200), ...Array(27).fill(429)]);
  });

  it('deletes the content of a failed upload', async () => {
    const [store] = stores.pair;
    const stored: string[] = [];
    const blobs: Store['blobs'] = {
      ...store.blobs,
      async put(id, bytes) {
        stored.push(id);
        await store.blobs.put(id, bytes);
        throw new Error('the disk is full');
      },
    };
    const { upload } = await setup({}, [{ ...store, blobs }]);

    const { status } = await upload('x', Buffer.from('x'));

    expect([status, stored.length]).toEqual([500, 1]);
    // In the background, without another request.
    await expect.poll(() => store.blobs.get(stored[0] ?? '')).toBeNull();
  });

  it('keeps the file of a message that is sent while another session with the same file is deleted', async () => {
    const { upload, create, call } = await setup();
    const other = await create();

    const outcomes = await Promise.all(
      requestNumbers.slice(0, 12).map(async (n) => {
        const file = (await (await upload(`${n}`, Buffer.from(`${n}`))).json()) as { id: string };
        const source = { type: 'file', file_id: file.id };
        const attached = { type: 'user.message', content: [{ type: 'document', source }] };
        const first = (await (
          await call('POST', '/sessions', { initial_events: [attached] })
        ).json()) as { id: string };
        const [sent] = await Promise.all([
          call('POST', `/sessions/${other}/events`, { events: [attached] }),
          call('DELETE', `/sessions/${first.id}`),
        ]);
        const read = await call('GET', `/files/${file.id}/content`);
        return [sent.status, read.status];
      }),
    );

    for (const outcome of outcomes) {
      expect([
        [200, 200],
        [400, 404],
      ]).toContainEqual(outcome);
    }
  });

  it('creates as many sessions as the daily quota of the key allows', async () => {
    const key = `pk_${engine}`;
    const { nextServer } = await setup({
      agent: { publishable_keys: [{ key, sessions_per_day: 5, new_visitors_per_hour: 100 }] },
    });
    const anonymous = await nextServer().requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', {
      publishable_key: key,
    });
    const { token } = (await anonymous.json()) as { token: string };

    const responses = await Promise.all(
      requestNumbers.map(() =>
        nextServer().requestAsUser(token, 'POST', '/agent/v1/sessions', firstMessage),
      ),
    );

    expect(statusesOf(responses)).toEqual([...Array(5).fill(200), ...Array(27).fill(429)]);
  });

  it('grants the lease of a session to exactly one process', async () => {
    const { nextServer } = await setup();
    const queues = await Promise.all(
      stores.pair.map(async (store) => {
        const { clock } = nextServer();
        const log = createLogger(clock.now, () => {});
        const worker = await Worker.start({ store, clock, log, random: systemRandom });
        onTestFinished(() => worker.close());
        return new RunQueue({ store, clock, worker: worker.id });
      }),
    );
    const [store] = stores.pair;
    const session = {
      id: `ses_of_leases_${engine}`,
      agent_id: 'agt_1',
      external_user_id: 'ada',
      publishable_key: null,
      source: null,
    };
    await store.transaction(async (transaction) => queues[0]?.add(transaction, session));

    const results = await Promise.all(
      requestNumbers.map((n) =>
        queues[n % 2]?.take(`run_${n}`, { perUser: 1, perKey: 1 }, session.id),
      ),
    );

    expect(results.filter((lease) => lease !== null)).toHaveLength(1);
  });

  it('searches text case-insensitively, even if the text contains U+0000', async () => {
    const { call } = await setup();
    const created = await call('POST', '/sessions', { title: 'Straße\0 ÉCLAIR 100%' });
    const { id } = (await created.json()) as { id: string };
    const find = async (query: string) => {
      const response = await call('GET', `/sessions?query=${encodeURIComponent(query)}`);
      const { data } = (await response.json()) as { data: { id: string }[] };
      return data.map((session) => session.id);
    };

    expect(await find('STRASSE')).toEqual([id]);
    expect(await find('éclair')).toEqual([id]);
    expect(await find('100%')).toEqual([id]);
    expect(await find('1%0')).toEqual([]);
    expect((await call('GET', '/sessions/ses_%00')).status).toBe(404);
  });

  it('replaces U+0000 in a text with U+FFFD, and keeps the rest of the text', async () => {
    const { call } = await setup();
    const created = await call('POST', '/sessions', { title: 'a\0b' });
    const { id } = (await created.json()) as { id: string };

    const read = await call('GET', `/sessions/${id}`);

    expect(await read.json()).toMatchObject({ title: 'a\ufffdb' });
  });

  it('stores blobs, which can be read whole or in pieces until they are deleted', async () => {
    const [first, second] = stores.pair.map(({ blobs }) => blobs) as [
      Store['blobs'],
      Store['blobs'],
    ];
    const bytes = Uint8Array.from({ length: 700_001 }, (_, index) => index % 251);
    const pieces: Uint8Array[] = [];

    await first.put('file_a', [bytes.subarray(0, 5), bytes.subarray(5)]);
    for await (const piece of (await second.read('file_a')) ?? []) pieces.push(piece);

    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect(Buffer.from((await second.get('file_a')) ?? []).equals(bytes)).toBe(true);
    for (const maximum of [1, 300_000, 800_000]) {
      const head = Buffer.from((await second.get('file_a', maximum)) ?? []);
      expect(head.equals(bytes.subarray(0, maximum))).toBe(true);
    }
    await second.delete('file_a');
    expect([
      await first.get('file_a'),
      await first.get('file_a', 1),
      await first.read('file_a'),
    ]).toEqual([null, null, null]);
  });
});
