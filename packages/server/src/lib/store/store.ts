import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite.ts';

/** The queries' way to the data. One schema and one set of queries, whatever the engine. */
export interface Store {
  readonly db: Kysely<Schema>;
  /** Writes what is pending and closes. Twice is fine. */
  close(): Promise<void>;
}

export interface SqliteStoreOptions {
  /** Directory of the database file, made where it is missing; `memory` keeps nothing. */
  data: string;
  /**
   * `full` syncs every commit to the disk, so that neither a token's revocation nor a block is lost
   * in a power cut; `normal` syncs at checkpoints, and loses the last moments. One connection serves
   * all tables, and the event log commits in batches, so that `full` costs it little. Default `full`.
   */
  synchronous?: 'full' | 'normal';
}

/** Opens the embedded store, with today's schema. */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const inMemory = options.data === 'memory';
  if (!inMemory) mkdirSync(options.data, { recursive: true, mode: 0o700 });
  const database = openSqlite(inMemory ? ':memory:' : join(options.data, 'inlay.db'), {
    synchronous: options.synchronous ?? 'full',
  });
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  await migrateAlone(db);
  let closing: Promise<void> | undefined;
  return {
    db,
    close: () => {
      closing ??= db.destroy();
      return closing;
    },
  };
}

/** Kysely takes no lock on SQLite, and two processes that start at once must not both make the tables. */
async function migrateAlone(db: Kysely<Schema>): Promise<void> {
  await sql`begin immediate`.execute(db);
  try {
    await migrate(db);
    await sql`commit`.execute(db);
  } catch (error) {
    // A failure of the file itself has undone everything already.
    await sql`rollback`.execute(db).catch(() => {});
    throw error;
  }
}
