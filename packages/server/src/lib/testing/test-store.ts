import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { Logger } from '../log/logger.ts';
import { createPostgresStore } from '../store/postgres-store.ts';
import { createSqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type {} from './services/postgres-for-run.ts';

/** Stores whose test is over, emptied. Making a database takes longer than most tests. */
const free: Store[] = [];

/**
 * An empty store of a test's own: in memory, or on PostgreSQL where the run is on that. It is taken
 * back when the test is over, whoever has closed it or not.
 */
export async function openTestStore(log: Logger): Promise<Store> {
  const server = inject('postgres');
  if (server === undefined) return createSqliteStore({ data: 'memory' });
  const store = free.pop() ?? (await createDatabase(server, log));
  onTestFinished(async () => {
    await empty(store);
    free.push(store);
  });
  return { ...store, close: async () => {} };
}

async function createDatabase(server: string, log: Logger): Promise<Store> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(server);
  const template = url.pathname.slice(1);
  url.pathname = 'postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  url.pathname = name;
  return createPostgresStore({ url: url.href, log, poolSize: 5 });
}

async function empty({ db }: Store): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_%'`.execute(db);
  await sql.raw(rows.map(({ name }) => `delete from ${name}`).join(';')).execute(db);
}
