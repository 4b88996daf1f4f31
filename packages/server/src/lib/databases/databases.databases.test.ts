import { type DatabaseEvent, DatabaseEventPage, DatabaseResource } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { type SetupOptions, setupServer } from '../testing/setup-server.ts';

const base = '/database/v1/databases';

async function setup(options: SetupOptions = {}) {
  const { backend, clock, app } = await setupServer(options);
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await backend(method, `${base}${path}`, body);
    return { status: response.status, body: await response.json() };
  };
  const { body } = await call('POST', '', { name: 'Orders' });
  const database = DatabaseResource.parse(body);
  const path = `/${database.id}`;
  const events = async (query = '') => {
    const page = await call('GET', `${path}/events${query}`);
    return { ...page, ...DatabaseEventPage.parse(page.body) };
  };
  const types = async () => (await events()).data.map(({ type }) => type);
  return { app, call, clock, database, path, events, types };
}

/** A database whose log has five events. */
async function setupFiveEvents() {
  const server = await setup();
  const fields = [
    { name: 'number', type: 'number' },
    { name: 'paid', type: 'boolean' },
  ];
  await server.call('POST', `${server.path}/tables`, { name: 'orders', fields });
  const seqs = async (query: string) => {
    const { data, next_cursor } = await server.events(query);
    return [data.map(({ seq }) => seq), next_cursor];
  };
  return { ...server, seqs };
}

describe('2.5, 6.1: the event log of a database', () => {
  it('starts with seq 1, and contains the status changes and the restoration of the database', async () => {
    const { call, path, database, events, types, clock } = await setup();
    await call('DELETE', path);
    const deleting = await call('GET', path);
    await call('POST', `${path}/restore`, {});

    expect(deleting.body.status).toBe('deleting');
    expect((await call('GET', path)).body).toMatchObject({ status: 'active', deletes_at: null });
    expect(await types()).toEqual([
      'database.status_provisioning',
      'database.status_active',
      'database.status_deleting',
      'database.restored',
    ]);
    const [first] = (await events()).data;
    expect(first).toEqual({
      seq: 1,
      id: expect.stringMatching(/^evt_/),
      type: 'database.status_provisioning',
      processed_at: new Date(clock.now()).toISOString(),
      database_id: database.id,
    });
  });

  it('contains an event for each changed table or field, with its id', async () => {
    const { call, path, events } = await setup();
    const fields = [{ name: 'number', type: 'number', required: true }];
    const created = await call('POST', `${path}/tables`, { name: 'orders', fields });
    const [table] = DatabaseResource.parse(created.body).tables;
    const tablePath = `${path}/tables/${table?.id}`;
    const fieldPath = `${tablePath}/fields/${table?.fields[0]?.id}`;
    await call('POST', tablePath, { description: 'All orders' });
    await call('POST', `${tablePath}/fields`, { name: 'paid', type: 'boolean' });
    const changed = await call('POST', fieldPath, { type: 'text' });
    await call('DELETE', fieldPath);
    await call('DELETE', tablePath);

    expect(changed.body.tables[0]).toMatchObject({
      description: 'All orders',
      fields: [
        { name: 'number', type: 'text', required: true },
        { name: 'paid', type: 'boolean', required: false },
      ],
    });
    const ids = ({ type, table_id, field_id }: DatabaseEvent) => [type, !!table_id, !!field_id];
    expect((await events()).data.slice(2).map(ids)).toEqual([
      ['table.created', true, false],
      ['field.added', true, true],
      ['table.updated', true, false],
      ['field.added', true, true],
      ['field.updated', true, true],
      ['field.deleted', true, true],
      ['table.deleted', true, false],
    ]);
    expect((await call('GET', path)).body.tables).toEqual([]);
  });

  it('contains no event for a request that is rejected or changes nothing', async () => {
    const { call, path, types } = await setup();
    const { body } = await call('POST', `${path}/tables`, { name: 'orders' });
    const tablePath = `${path}/tables/${body.tables[0].id}`;
    const before = await types();

    const results = await Promise.all([
      call('POST', tablePath, { name: 'orders' }),
      call('POST', `${path}/tables`, { name: 'orders' }),
      call('POST', `${path}/tables`, { name: 'b', fields: [{ name: 'c', type: 'money' }] }),
      call('DELETE', `${path}/tables/tbl_none`),
      call('POST', `${path}/restore`, {}),
    ]);

    expect(results.map(({ status, body: { code } }) => code ?? status)).toEqual([
      200,
      'CONFLICT',
      'INVALID_PARAMS',
      'NOT_FOUND',
      'CONFLICT',
    ]);
    expect(await types()).toEqual(before);
  });

  it('contains no event for a change that exceeds `limits.request.database_bytes`', async () => {
    const limits = { request: { database_bytes: 1024 } };
    const { call, path, types } = await setup({ config: { limits } });
    await call('POST', `${path}/tables`, { name: 'orders' });
    const before = await types();

    const description = 'x'.repeat(1000);
    const refused = await call('POST', `${path}/tables`, { name: 'customers', description });

    expect(refused.body).toMatchObject({ status: 400, code: 'INVALID_PARAMS' });
    expect(refused.body.detail).toContain('at most 1024 bytes');
    expect(await types()).toEqual(before);
    expect((await call('GET', path)).body.tables).toHaveLength(1);
  });

  it('numbers concurrent changes without gaps', async () => {
    const { call, path, events } = await setup();

    const names = Array.from({ length: 10 }, (_, index) => `table ${index}`);
    await Promise.all(names.map((name) => call('POST', `${path}/tables`, { name })));

    const { data } = await events();
    expect(data.map(({ seq }) => seq)).toEqual(data.map((_, index) => index + 1));
    expect((await call('GET', path)).body.tables).toHaveLength(10);
  });
});

describe('4.10: GET /database/v1/databases/{database_id}/events', () => {
  it('returns the events after `after_seq`, in ascending order by default', async () => {
    const { seqs } = await setupFiveEvents();

    expect(await seqs('?limit=2')).toEqual([[1, 2], '2']);
    expect(await seqs('?limit=2&after_seq=2')).toEqual([[3, 4], '4']);
    expect(await seqs('?limit=2&after_seq=4')).toEqual([[5], null]);
    expect(await seqs('')).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it('returns events in descending order for `before_seq` or `order=desc`', async () => {
    const { seqs } = await setupFiveEvents();

    expect(await seqs('?limit=2&before_seq=5')).toEqual([[4, 3], '3']);
    expect(await seqs('?limit=2&before_seq=3')).toEqual([[2, 1], null]);
    expect(await seqs('?limit=3&order=desc')).toEqual([[5, 4, 3], '3']);
  });

  it('accepts an `after_seq` or `before_seq` far beyond the last event', async () => {
    const { seqs } = await setupFiveEvents();

    expect(await seqs('?after_seq=9007199254740991')).toEqual([[], null]);
    expect(await seqs('?before_seq=9007199254740991')).toEqual([[5, 4, 3, 2, 1], null]);
  });

  it.each([
    ['after_seq=1&before_seq=3', '/query/before_seq'],
    ['before_seq=3&order=asc', '/query/before_seq'],
    ['after_seq=1&order=desc', '/query/after_seq'],
    ['order=up', '/query/order'],
    ['limit=0', '/query/limit'],
    ['limit=201', '/query/limit'],
    ['after_seq=x', '/query/after_seq'],
    ['after_seq=', '/query/after_seq'],
    ['before_seq=', '/query/before_seq'],
    ['after_seq=0x1', '/query/after_seq'],
    ['after_seq=1&after_seq=2', '/query/after_seq'],
    ['before_seq=9007199254740992', '/query/before_seq'],
  ])('rejects %s with INVALID_PARAMS', async (query, pointer) => {
    const { call, path } = await setup();

    const { status, body } = await call('GET', `${path}/events?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'INVALID_PARAMS', errors: [{ pointer }] });
  });

  it('returns the events of a database during and after its deletion', async () => {
    const { call, path, types, clock } = await setup();
    await call('DELETE', path);
    expect((await types()).at(-1)).toBe('database.status_deleting');

    clock.advance(8 * 86_400_000);

    await expect.poll(types).toContain('database.status_deleted');
    expect((await call('GET', path)).body.status).toBe('deleted');
    expect((await call('POST', `${path}/restore`, {})).body.code).toBe('CONFLICT');
    expect((await call('GET', '')).body.data).toEqual([]);
  });

  it('responds with 404 for an unknown database, and with 401 without a key', async () => {
    const { app, call, path } = await setup();

    expect((await call('GET', '/db_none/events')).body.code).toBe('NOT_FOUND');
    expect((await app.request(`${base}${path}/events`)).status).toBe(401);
  });
});
