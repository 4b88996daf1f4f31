/** Rules 2.5, 2.6, 2.7, 3.6, 4.10, 4.11, 6.1 and 6.2: event logs of databases and libraries. */
import { expect, it } from 'vitest';
import { expectInvalid, expectProblem, startReferenceServer, utcTime } from './setup/server.ts';

const databasesPath = '/database/v1/databases';
const librariesPath = '/media/v1/libraries';

interface LogEvent {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Starts a server with a database or a library, whose log already has two events. */
async function startWithLog(base = databasesPath) {
  const server = await startReferenceServer();
  const created = await server.backend('POST', base, { name: 'Orders' });
  const path = `${base}/${created.body.id}`;
  const read = (query = '') => server.backend('GET', `${path}/events${query}`);
  return {
    ...server,
    id: created.body.id as string,
    path,
    /** Reads a page of the log. */
    read,
    events: async (): Promise<LogEvent[]> => (await read('?limit=200')).body.data,
    /** Reads the `seq` of each event of a page, and the cursor of the page. */
    seqs: async (query: string) => {
      const { body } = await read(query);
      return [body.data.map(({ seq }: LogEvent) => seq), body.next_cursor];
    },
  };
}

/** Starts a server with a log of five events. */
async function startWithFiveEvents(base = databasesPath) {
  const server = await startWithLog(base);
  for (const name of ['a', 'b', 'c']) {
    const url = `https://files.example.com/${name}`;
    if (base === databasesPath) await server.backend('POST', `${server.path}/tables`, { name });
    else await server.backend('POST', `${server.path}/assets`, { name, url });
  }
  return server;
}

it('2.5 an event has seq, id, type, processed_at in UTC and database_id', async () => {
  const { id, events } = await startWithLog();

  const log = await events();

  expect(log).toHaveLength(2);
  for (const event of log) {
    expect(event).toEqual({
      seq: expect.any(Number),
      id: expect.any(String),
      type: expect.any(String),
      processed_at: utcTime,
      database_id: id,
    });
  }
  expect(id).toMatch(/^db_/);
  expect(new Set(log.map((event) => event.id)).size).toBe(log.length);
});

it('2.5 `table_id` is in events of tables and fields only, and `field_id` in events of fields only', async () => {
  const { backend, path, events } = await startWithLog();
  const fields = [{ name: 'number', type: 'number' }];
  await backend('POST', `${path}/tables`, { name: 'orders', fields });

  const ids = (await events()).map(({ type, table_id, field_id }) => ({
    type,
    table_id,
    field_id,
  }));

  const table_id = expect.stringMatching(/^tbl_/);
  const field_id = expect.stringMatching(/^fld_/);
  expect(ids).toEqual([
    { type: 'database.status_provisioning' },
    { type: 'database.status_active' },
    { type: 'table.created', table_id },
    { type: 'field.added', table_id, field_id },
  ]);
});

it('2.5 the log starts at seq 1 and increases strictly', async () => {
  const { events } = await startWithFiveEvents();

  expect((await events()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});

it('2.5 reading a database adds no event', async () => {
  const { backend, path, events } = await startWithLog();
  const before = await events();

  await backend('GET', path);

  expect(await events()).toEqual(before);
});

it('2.6 an event has seq, id, type, processed_at in UTC and library_id', async () => {
  const { id, events } = await startWithLog(librariesPath);

  const log = await events();

  expect(log).toHaveLength(2);
  for (const event of log) {
    expect(event).toEqual({
      seq: expect.any(Number),
      id: expect.any(String),
      type: expect.any(String),
      processed_at: utcTime,
      library_id: id,
    });
  }
  expect(id).toMatch(/^lib_/);
});

it('2.6 an event about an asset has `asset_id`, and its `detail` has the changed values', async () => {
  const { backend, path, events } = await startWithLog(librariesPath);
  const url = 'https://files.example.com/film.mp4';
  const { body: asset } = await backend('POST', `${path}/assets`, { name: 'Film', url });
  await backend('POST', `${path}/assets/${asset.id}`, { name: 'The film' });

  const [created, updated] = (await events()).slice(2);

  expect(created).toMatchObject({ type: 'asset.created', asset_id: asset.id });
  expect(updated).toMatchObject({
    type: 'asset.updated',
    asset_id: asset.id,
    detail: { name: 'The film' },
  });
});

it('2.6 seq increases within each library', async () => {
  const { backend, events } = await startWithFiveEvents(librariesPath);
  const { body: other } = await backend('POST', librariesPath, { name: 'Other' });

  expect((await events()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  const { body } = await backend('GET', `${librariesPath}/${other.id}/events`);
  expect(body.data.map(({ seq }: LogEvent) => seq)).toEqual([1, 2]);
});

it('2.7 a page has `data` and `next_cursor`, which is null on the last page', async () => {
  const { backend, read, issue } = await startWithFiveEvents();
  await issue();
  const pages = [
    await read(),
    await backend('GET', databasesPath),
    await backend('GET', librariesPath),
    await backend('GET', '/agent/v1/embed_tokens'),
    await backend('GET', '/agent/v1/agents'),
    await backend('GET', '/automation/v1/actions'),
    await backend('GET', '/automation/v1/scripts'),
    await backend('GET', '/model/v1/models'),
  ];

  for (const { body } of pages) {
    expect(body).toMatchObject({ data: expect.any(Array), next_cursor: null });
  }
  expect((await read('?limit=2')).body.next_cursor).toEqual(expect.any(String));
});

it('2.7 a cursor that is passed back unchanged continues a list', async () => {
  const { backend, clock } = await startReferenceServer();
  for (const name of ['a', 'b', 'c']) {
    await backend('POST', databasesPath, { name });
    clock.advance(1);
  }
  const first = await backend('GET', `${databasesPath}?limit=2`);
  const cursor = encodeURIComponent(first.body.next_cursor);

  const second = await backend('GET', `${databasesPath}?limit=2&page=${cursor}`);

  const names = [first, second].map(({ body }) =>
    body.data.map((database: { name: string }) => database.name),
  );
  expect(names).toEqual([['c', 'b'], ['a']]);
  expect(second.body.next_cursor).toBeNull();
});

it('3.6 the log names the states of a database: provisioning, active, deleting, restored, deleted', async () => {
  const { backend, path, events, clock } = await startWithLog();
  await backend('DELETE', path);
  await backend('POST', `${path}/restore`, {});
  await backend('DELETE', path);
  clock.advance(8 * 86_400_000);

  const types = async () => (await events()).map(({ type }) => type);

  await expect
    .poll(types)
    .toEqual([
      'database.status_provisioning',
      'database.status_active',
      'database.status_deleting',
      'database.restored',
      'database.status_deleting',
      'database.status_deleted',
    ]);
});

it('3.6 the events of a database that is being deleted can be read', async () => {
  const { backend, path, read } = await startWithLog();
  await backend('DELETE', path);

  const { status, body } = await read();

  expect(status).toBe(200);
  expect(body.data.at(-1).type).toBe('database.status_deleting');
  expect((await backend('GET', path)).body.status).toBe('deleting');
});

it('4.10 events are in ascending order by default', async () => {
  const { seqs } = await startWithFiveEvents();

  expect(await seqs('')).toEqual([[1, 2, 3, 4, 5], null]);
  expect(await seqs('?order=asc')).toEqual([[1, 2, 3, 4, 5], null]);
});

it('4.10 order=desc returns the newest events first', async () => {
  const { seqs } = await startWithFiveEvents();

  expect(await seqs('?order=desc')).toEqual([[5, 4, 3, 2, 1], null]);
});

it('4.10 `after_seq` returns events with a higher seq', async () => {
  const { seqs } = await startWithFiveEvents();

  expect(await seqs('?after_seq=3')).toEqual([[4, 5], null]);
  expect(await seqs('?after_seq=0&order=asc')).toEqual([[1, 2, 3, 4, 5], null]);
});

it('4.10 `before_seq` returns events with a lower seq, newest first, with and without order=desc', async () => {
  const { seqs } = await startWithFiveEvents();

  expect(await seqs('?before_seq=3')).toEqual([[2, 1], null]);
  expect(await seqs('?before_seq=3&order=desc')).toEqual([[2, 1], null]);
});

it('4.10 `next_cursor` continues an ascending list as `after_seq`, and a descending list as `before_seq`', async () => {
  const { seqs } = await startWithFiveEvents();

  const walk = async (order: string, parameter: string) => {
    const found: unknown[] = [];
    let query = `?limit=2&order=${order}`;
    for (;;) {
      const [page, cursor] = await seqs(query);
      found.push(page);
      if (cursor === null) return found;
      query = `?limit=2&order=${order}&${parameter}=${cursor}`;
    }
  };

  expect(await walk('asc', 'after_seq')).toEqual([[1, 2], [3, 4], [5]]);
  expect(await walk('desc', 'before_seq')).toEqual([[5, 4], [3, 2], [1]]);
});

it('4.10, 8.4 the `limit` of the log of a database is 1 to 200, and 50 by default', async () => {
  const { backend, path, read, seqs } = await startWithLog();
  const fields = Array.from({ length: 60 }, (_, index) => ({ name: `f${index}`, type: 'text' }));
  await backend('POST', `${path}/tables`, { name: 'wide', fields });

  expect((await read()).body.data).toHaveLength(50);
  expect((await read('?limit=200')).body.data).toHaveLength(63);
  expect(await seqs('?limit=1')).toEqual([[1], '1']);
  for (const limit of ['0', '201', '1.5', 'x', '']) {
    expectInvalid(await read(`?limit=${limit}`), '/query/limit', 'INVALID_PARAMS');
  }
});

it('4.10 both cursors together, or `before_seq` with order=asc, get 400 INVALID_PARAMS', async () => {
  const { read } = await startWithFiveEvents();

  for (const query of ['after_seq=1&before_seq=3', 'before_seq=3&order=asc']) {
    expectInvalid(await read(`?${query}`), '/query/before_seq', 'INVALID_PARAMS');
  }
});

it('4.10 a cursor that is not a whole number, or an unknown order, gets 400 INVALID_PARAMS', async () => {
  const { read } = await startWithFiveEvents();

  for (const [query, field] of [
    ['after_seq=x', 'after_seq'],
    ['before_seq=1.5', 'before_seq'],
    ['after_seq=-1', 'after_seq'],
    ['order=up', 'order'],
  ]) {
    expectInvalid(await read(`?${query}`), `/query/${field}`, 'INVALID_PARAMS');
  }
});

it('4.10 an unknown database returns 404 NOT_FOUND', async () => {
  const { backend } = await startReferenceServer();

  expectProblem(await backend('GET', `${databasesPath}/db_none/events`), 404, 'NOT_FOUND');
});

it('4.11 events are in ascending order by default; order=desc returns the newest events first', async () => {
  const { seqs } = await startWithFiveEvents(librariesPath);

  expect(await seqs('')).toEqual([[1, 2, 3, 4, 5], null]);
  expect(await seqs('?order=desc')).toEqual([[5, 4, 3, 2, 1], null]);
});

it('4.11 `after_seq` returns later events in ascending order, and `before_seq` earlier events in descending order', async () => {
  const { seqs } = await startWithFiveEvents(librariesPath);

  expect(await seqs('?after_seq=3')).toEqual([[4, 5], null]);
  expect(await seqs('?before_seq=3')).toEqual([[2, 1], null]);
});

it('4.11 `next_cursor` is the last seq as a string, and continues in either order', async () => {
  const { seqs } = await startWithFiveEvents(librariesPath);

  expect(await seqs('?limit=2')).toEqual([[1, 2], '2']);
  expect(await seqs('?limit=3&after_seq=2')).toEqual([[3, 4, 5], null]);
  expect(await seqs('?limit=2&order=desc')).toEqual([[5, 4], '4']);
  expect(await seqs('?limit=2&order=desc&before_seq=4')).toEqual([[3, 2], '2']);
});

it('4.11, 8.4 the `limit` of the log of a library is 1 to 200, and 50 by default', async () => {
  const { backend, path, read } = await startWithLog(librariesPath);
  for (let count = 0; count < 50; count += 1) {
    const url = 'https://files.example.com/film.mp4';
    await backend('POST', `${path}/assets`, { name: `Film ${count}`, url });
  }

  expect((await read()).body.data).toHaveLength(50);
  expect((await read('?limit=200')).body.data).toHaveLength(52);
  for (const limit of ['0', '201', 'x']) {
    expectInvalid(await read(`?limit=${limit}`), '/query/limit', 'INVALID_PARAMS');
  }
});

it('4.11 both cursors together, or `before_seq` with order=asc, get 400 INVALID_PARAMS', async () => {
  const { read } = await startWithFiveEvents(librariesPath);

  for (const query of ['after_seq=1&before_seq=3', 'before_seq=3&order=asc']) {
    expectInvalid(await read(`?${query}`), '/query/before_seq', 'INVALID_PARAMS');
  }
});

it('4.11 an unknown library returns 404 NOT_FOUND', async () => {
  const { backend } = await startReferenceServer();

  expectProblem(await backend('GET', `${librariesPath}/lib_none/events`), 404, 'NOT_FOUND');
});

it('6.1 each creation, change and deletion of a table or field is an event', async () => {
  const { backend, path, events } = await startWithLog();
  const { body } = await backend('POST', `${path}/tables`, { name: 'orders' });
  const table = `${path}/tables/${body.tables[0].id}`;
  const added = await backend('POST', `${table}/fields`, { name: 'paid', type: 'boolean' });
  const field = `${table}/fields/${added.body.tables[0].fields[0].id}`;
  await backend('POST', table, { name: 'all_orders' });
  await backend('POST', field, { name: 'is_paid' });
  await backend('DELETE', field);
  await backend('DELETE', table);

  expect((await events()).slice(2).map(({ type }) => type)).toEqual([
    'table.created',
    'field.added',
    'table.updated',
    'field.updated',
    'field.deleted',
    'table.deleted',
  ]);
});

it('6.2 the first event of a library is `library.status_provisioning`', async () => {
  const { events } = await startWithLog(librariesPath);

  expect((await events())[0]).toMatchObject({ seq: 1, type: 'library.status_provisioning' });
});

it('6.2 each change of the state of a library or of its assets is an event', async () => {
  const { backend, path, events } = await startWithLog(librariesPath);
  const url = 'https://files.example.com/film.mp4';
  const { body: asset } = await backend('POST', `${path}/assets`, { name: 'Film', url });
  await backend('DELETE', `${path}/assets/${asset.id}`);
  await backend('DELETE', path);
  await backend('POST', `${path}/restore`, {});

  expect((await events()).slice(1).map(({ type }) => type)).toEqual([
    'library.status_active',
    'asset.created',
    'asset.deleted',
    'library.status_deleting',
    'library.restored',
  ]);
});
