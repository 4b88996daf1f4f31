import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { startPostgres, type TestPostgres } from '../testing/services/postgres.ts';
import { setupServer } from '../testing/setup-server.ts';
import { type Migrations, migrations } from './migrate.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { createPostgresStore } from './postgres-store.ts';

const log = createLogger(Date.now, () => {});

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** The next version: a new column, and an index that takes 10 ms for each event of `setup`. */
const next: Migrations = {
  ...migrations,
  '9999-next': {
    async up(db) {
      await sql`alter table events add column note text`.execute(db);
      await sql`create function note_of(session_id text) returns text immutable language plpgsql as $$
        begin
          if session_id = 'ses_old' then perform pg_sleep(0.01); end if;
          return '';
        end $$`.execute(db);
    },
    indexes: { events_by_note: 'events (note_of(session_id))' },
  },
};

/** Opens a database of this version with 200 events. */
async function setup() {
  const url = await postgres.createDatabase();
  const store = await createPostgresStore({ url, poolSize: 5, log });
  onTestFinished(() => store.close());
  await sql`insert into events (session_id, seq, id, type, json, processed_at)
    select 'ses_old', n, 'evt_' || n, 'user.message', '{}', 0
    from generate_series(1, 200) n`.execute(store.db);
  return {
    url,
    store,
    restart: () => migratePostgres({ url, log }),
    migrate: () => migratePostgres({ url, log }, next),
    async indexIsValid() {
      const { rows } = await sql<{ valid: boolean }>`
        select indisvalid as valid from pg_index
        where indexrelid = to_regclass('events_by_note')`.execute(store.db);
      return rows[0]?.valid;
    },
  };
}

it('a process of the previous version restarts and writes while two of the next version migrate', async () => {
  const { store, restart, migrate, indexIsValid } = await setup();
  const server = await setupServer({ sharedStore: store });
  const { token } = await server.issue();
  const call = async (method: string, path: string, body?: object) => {
    const response = await server.requestAsUser(token, method, `/agent/v1/sessions${path}`, body);
    expect(response.status).toBe(200);
    return (await response.json()) as { id: string };
  };
  const { id } = await call('POST', '', {});
  let isBackedUp = false;
  const backup = store.transaction(async (transaction) => {
    await sql`select from events`.execute(transaction);
    await delay(3_000);
    isBackedUp = true;
  });
  let isMigrated = false;
  const migration = Promise.all([migrate(), migrate()]).finally(() => {
    isMigrated = true;
  });

  await restart();
  expect(isMigrated).toBe(false);
  let titles = 0;
  let titlesDuringBackup = 0;
  while (!isMigrated) {
    await call('POST', `/${id}`, { title: `${++titles}` });
    if (!isBackedUp) titlesDuringBackup = titles;
  }
  await Promise.all([backup, migration]);

  // The migration waits for the backup. The writes behind it wait only until it gives up its lock.
  expect(titlesDuringBackup).toBeGreaterThan(1);
  expect(await indexIsValid()).toBe(true);
  const updates = await store.db
    .selectFrom('events')
    .select('json')
    .where('session_id', '=', id)
    .where('type', '=', 'session.updated')
    .orderBy('seq')
    .execute();
  expect(updates.map(({ json }) => JSON.parse(json).title)).toEqual(
    Array.from({ length: titles }, (_, index) => `${index + 1}`),
  );
});

it('a process that waits for the migration of another one has no open transaction, for whose end an index would wait', async () => {
  const { store, migrate } = await setup();
  const count = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from pg_stat_activity where datname = current_database() and ${condition}`.execute(store.db);
    return rows[0]?.count;
  };
  const first = migrate();
  await expect.poll(() => count(sql`query like 'create index%'`)).toBe(1);
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(
    store.db,
  );

  const second = migrate();

  const isWaiting = sql`backend_start > ${rows[0]?.now}::timestamptz
    and state = 'idle' and query ~* '^(commit|rollback)'`;
  await expect.poll(() => count(isWaiting)).toBe(1);
  await Promise.all([first, second]);
});

it('creates an index again that was interrupted', async () => {
  const { store, migrate, indexIsValid } = await setup();
  const failure = expect(migrate()).rejects.toThrow();
  await expect.poll(indexIsValid).toBe(false);

  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'create index%'`.execute(store.db);
  await failure;
  expect(await indexIsValid()).toBe(false);
  await migrate();

  expect(await indexIsValid()).toBe(true);
});

it('rolls back a change that would make writes wait for long, such as the rewrite of a large table', async () => {
  const { url, store, restart } = await setup();
  const rewrite: Migrations = {
    ...migrations,
    '9999-rewrite': {
      async up(db) {
        await sql`alter table events add column note text`.execute(db);
        await sql`update events set note = pg_sleep(0.1)::text`.execute(db);
      },
    },
  };

  await expect(migratePostgres({ url, log }, rewrite)).rejects.toThrow('statement timeout');

  await restart();
  const [event] = await store.db.selectFrom('events').selectAll().limit(1).execute();
  expect(event).not.toHaveProperty('note');
});
