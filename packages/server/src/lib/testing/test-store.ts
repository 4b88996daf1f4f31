import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { Logger } from '../log/logger.ts';
import { createPostgresStore } from '../store/postgres-store.ts';
import { createSqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type {} from './services/shared-postgres.ts';

/** Emptied stores of finished tests, because creating a database takes longer than most tests. */
const unusedStores: Store[] = [];

/**
 * Opens an empty store for a test: in memory, or on PostgreSQL if the test run uses PostgreSQL.
 * After the test, it is closed, or emptied for another test.
 */
export async function openTestStore(log: Logger): Promise<Store> {
  const server = inject('postgres');
  if (server === undefined) {
    const embedded = await createSqliteStore({ data: 'memory' });
    onTestFinished(() => embedded.close());
    return embedded;
  }
  const store = unusedStores.pop() ?? (await createDatabase(server, log));
  onTestFinished(async () => {
    await deleteAllRows(store);
    unusedStores.push(store);
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

async function deleteAllRows({ db, transaction }: Store): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> 'migrations'`.execute(db);
  const statements = rows.map(({ name }) => `delete from ${name}`).join(';');
  // A transaction is retried after a deadlock, because the server of the test may still be writing.
  await transaction((tx) => sql.raw(statements).execute(tx));
}
