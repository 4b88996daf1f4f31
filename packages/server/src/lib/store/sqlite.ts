import type { SqliteDatabase, SqliteStatement } from 'kysely';
import Database from 'libsql';
import { replaceNul } from './replace-nul.ts';

/** Milliseconds that a statement waits for another process. */
const busyTimeout = 5_000;
/**
 * Pages of the write-ahead log per checkpoint. Many pages change several times between two
 * checkpoints, so a large number saves writes.
 */
const checkpointPages = 4000;
/** Page cache in KiB. Random token hashes touch many pages of an index. */
const cacheSize = 4000;
/**
 * Maximum prepared statements in the cache. There are few queries; the bound guards against
 * statements built from input.
 */
const preparedLimit = 400;

/**
 * Opens a SQLite file for Kysely, with a cache of prepared statements: Kysely prepares each query
 * again, which costs more than running it. The cache is safe, because each statement finishes
 * before the next one starts.
 */
export function openSqlite(
  file: string,
  { synchronous }: { synchronous: 'full' | 'normal' },
): SqliteDatabase & { isFull(): boolean; truncateLog(): void } {
  const database = new Database(file);
  // This pragma is first, because the following statements may have to wait for another process.
  database.pragma(`busy_timeout = ${busyTimeout}`);
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  database.pragma(`cache_size = -${cacheSize}`);
  // Deleted content is overwritten with zeros, so that the file does not keep what users have deleted.
  database.pragma('secure_delete = ON');
  const prepared = new Map<string, SqliteStatement>();
  const totalChanges = database.prepare('select total_changes() as count');
  const countChanges = () => Number((totalChanges.get() as { count: number }).count);
  /** Total changed rows when a write last failed on a full disk; null while writes succeed. */
  let changesWhenFull: number | null = null;
  /** Records whether the last write failed because the disk is full. */
  function trackFullDisk<Result>(sql: string, work: () => Result): Result {
    try {
      const result = work();
      // A transaction without changes succeeds on a full disk, too.
      const mayHaveRoom = sql === 'commit' && changesWhenFull !== null;
      if (mayHaveRoom && countChanges() !== changesWhenFull) changesWhenFull = null;
      return result;
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL';
      if (isFull || changesWhenFull !== null) changesWhenFull = countChanges();
      throw error;
    }
  }
  return {
    isFull: () => changesWhenFull !== null,
    truncateLog() {
      // Does not wait for a reader of another process, such as a backup.
      database.pragma('busy_timeout = 0');
      try {
        database.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        database.pragma(`busy_timeout = ${busyTimeout}`);
      }
    },
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      // `begin immediate` takes the write lock at the start: SQLite rejects a transaction that
      // reads first and writes after another process has written.
      const adapted = adaptStatement(database.prepare(sql === 'begin' ? 'begin immediate' : sql));
      const statement: SqliteStatement = {
        ...adapted,
        all: (parameters) => trackFullDisk(sql, () => adapted.all(parameters)),
        run: (parameters) =>
          // SQLite rolls back by itself when the disk is full, and rejects a second rollback.
          sql === 'rollback' && !database.inTransaction
            ? { changes: 0, lastInsertRowid: 0 }
            : trackFullDisk(sql, () => adapted.run(parameters)),
      };
      if (prepared.size < preparedLimit) prepared.set(sql, statement);
      return statement;
    },
    close() {
      prepared.clear();
      // Moves the write-ahead log into the database file, so that a copy of this file is a complete
      // backup.
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}

/**
 * Adapts a statement to Kysely. Caches the property `reader`, which Kysely reads at every execution
 * and `libsql` computes each time.
 */
function adaptStatement(statement: Database.Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(storable(parameters)),
    run: (parameters) => statement.run(storable(parameters)),
    iterate: (parameters) => statement.iterate(storable(parameters)) as IterableIterator<unknown>,
  };
}

/**
 * Replaces U+0000 in parameters, and rejects parameters that SQLite cannot store: `libsql` crashes the
 * process for a boolean or an object, and stores NaN as null.
 *
 * @throws TypeError Before the statement runs, so that its transaction is rolled back.
 */
function storable(parameters: readonly unknown[]): readonly unknown[] {
  for (const [index, value] of parameters.entries()) {
    const isStorable =
      typeof value === 'string' ||
      typeof value === 'bigint' ||
      value === null ||
      (typeof value === 'number' && Number.isFinite(value)) ||
      value instanceof Uint8Array;
    if (!isStorable) throw new TypeError(`Parameter ${index + 1} is ${String(value)}`);
  }
  return parameters.map(replaceNul);
}
