import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type QueryCompiler, SqliteDialect, SqliteQueryCompiler, sql } from 'kysely';
import { createDirectoryBlobs, createMemoryBlobs } from './blobs.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

export interface SqliteStoreOptions {
  /** Directory of the database file and of uploads, made where it is missing; `memory` keeps nothing. */
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
  const db = new Kysely<Schema>({ dialect: new LocklessDialect({ database }) });
  await migrateAlone(db);
  let closing: Promise<void> | undefined;
  const access: Store['priority'] = {
    db,
    // Each holds the right to write from its beginning, so none is ever given up for another.
    transaction: (work) => db.transaction().execute(work),
    lock: async () => {},
  };
  return {
    ...access,
    priority: access,
    isFull: database.isFull,
    blobs: inMemory ? createMemoryBlobs() : createDirectoryBlobs(join(options.data, 'files')),
    close: () => {
      closing ??= db.destroy();
      return closing;
    },
  };
}

/** SQLite knows no row locks. Its transactions come one after the other, which is as good. */
class LocklessDialect extends SqliteDialect {
  override createQueryCompiler(): QueryCompiler {
    return new LocklessCompiler();
  }
}

class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(): void {}
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
