import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  Kysely,
  type QueryCompiler,
  type SelectModifierNode,
  SqliteDialect,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { createDirectoryBlobs, createMemoryBlobs, createMovedBlobs } from './blobs.ts';
import { createDatabaseBlobs } from './database-blobs.ts';
import {
  addDoneStep,
  createStepTable,
  migrations,
  pendingSteps,
  readDoneSteps,
} from './migrate.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

export interface SqliteStoreOptions {
  /**
   * Directory of the database file and of uploads, created if missing; `memory` stores nothing on
   * disk.
   */
  data: string;
  /**
   * `full` syncs every commit to the disk, so that a power failure cannot undo a revocation;
   * `normal` syncs only at checkpoints, so that a power failure may undo the last commits. `full`
   * costs little, because the event log commits in batches.
   *
   * @default 'full'
   */
  synchronous?: 'full' | 'normal';
}

/** The database of an embedded store in the directory `data`. */
export const databaseOf = (data: string) => join(data, 'inlay.db');

/** The directory of the contents of files in an embedded store. */
export const filesOf = (data: string) => join(data, 'files');

/** Opens the embedded store, and runs the migrations. */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const inMemory = options.data === 'memory';
  if (!inMemory) mkdirSync(options.data, { recursive: true, mode: 0o700 });
  const database = openSqlite(inMemory ? ':memory:' : databaseOf(options.data), {
    synchronous: options.synchronous ?? 'full',
  });
  const db = new Kysely<Schema>({ dialect: new LocklessDialect({ database }) });
  await migrate(db);
  let closing: Promise<void> | undefined;
  const access: Store['priority'] = {
    db,
    // Each transaction takes the write lock at its start, so it never has to be retried.
    transaction: (work) => db.transaction().execute(work),
    lock: async () => {},
  };
  return {
    ...access,
    priority: access,
    // The database runs in this process.
    now: () => sql.val(Date.now()),
    async removeTraces() {
      await mergeTerms(db);
      database.truncateLog();
    },
    isFull: database.isFull,
    blobs: inMemory
      ? createMemoryBlobs()
      : createMovedBlobs(createDirectoryBlobs(filesOf(options.data)), createDatabaseBlobs(db)),
    close: () => {
      closing ??= db.destroy();
      return closing;
    },
  };
}

/**
 * Omits the row locks of queries: SQLite has none, and needs none, because its write transactions
 * run one at a time.
 */
class LocklessDialect extends SqliteDialect {
  override createQueryCompiler(): QueryCompiler {
    return new LocklessCompiler();
  }
}

class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}

/**
 * Runs the migrations in one transaction with the write lock, because two processes may start
 * simultaneously. No process of another version uses the database.
 */
async function migrate(db: Kysely<Schema>): Promise<void> {
  await sql`begin immediate`.execute(db);
  try {
    await createStepTable(db);
    for (const step of pendingSteps(await readDoneSteps(db), migrations)) {
      if ('up' in step) await step.up(db);
      else {
        for (const [name, columns] of Object.entries(step.indexes)) {
          await sql.raw(`create index ${name} on ${columns}`).execute(db);
        }
      }
      await addDoneStep(db, step);
    }
    await sql`commit`.execute(db);
  } catch (error) {
    // Fails if SQLite has already rolled back after an I/O error.
    await sql`rollback`.execute(db).catch(() => {});
    throw error;
  }
}

/** Pages of a full-text index that a step writes. */
const pagesPerMerge = 16;

/**
 * Merges the segments of the full-text index of conversations into one. The index has no content: a
 * deletion only marks a row, and a merge leaves out the words of marked rows
 * (https://www.sqlite.org/fts5.html#the_merge_command).
 */
async function mergeTerms(db: Kysely<Schema>): Promise<void> {
  const merge = (pages: number) =>
    db.transaction().execute(async (transaction) => {
      const before = await totalChanges(transaction);
      await sql`insert into session_terms (session_terms, rank) values ('merge', ${pages})`.execute(
        transaction,
      );
      return (await totalChanges(transaction)) - before;
    });
  // A negative number starts to merge all segments, and a merge with nothing left to do makes one change.
  for (let pages = -pagesPerMerge; (await merge(pages)) > 1; pages = pagesPerMerge)
    await nextTurn();
}

async function totalChanges(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db);
  return Number(rows[0]?.count);
}
