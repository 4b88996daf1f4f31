import { type Kysely, Migrator, sql } from 'kysely';
import { baseline } from './migrations/0001-baseline.ts';
import type { Schema } from './schema.ts';

/** All migrations, ordered by name. New migrations are appended; existing ones never change. */
const migrations = {
  '0001-baseline': baseline,
};

/**
 * Runs the pending migrations. There are no down migrations. Later migrations, which a newer version has
 * run, are accepted: they only add, so that processes of two versions can run at the same time while
 * they are replaced. What is no longer used is removed one version later.
 *
 * @param db One connection in a transaction that locks out other processes.
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const later = await namesOfLaterMigrations(db);
  const provider = {
    getMigrations: async () => ({
      ...migrations,
      ...Object.fromEntries(later.map((name) => [name, { up: async () => {} }])),
    }),
  };
  const migrator = new Migrator({ db, provider, disableTransactions: true });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function namesOfLaterMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const latest = Object.keys(migrations).at(-1) ?? '';
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name > ${latest}`.execute(db);
  return rows.map(({ name }) => name);
}
