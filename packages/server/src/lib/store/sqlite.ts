import type { SqliteDatabase, SqliteStatement } from 'kysely';
import Database from 'libsql';

/** Pages of the write-ahead log that are taken over into the file together: many change again before. */
const checkpointPages = 4000;
/** KiB of pages kept in memory. Every token goes to a page of its own in an index. */
const cacheSize = 4000;
/** Statements kept prepared. The queries are few; the bound guards against one built from input. */
const preparedLimit = 400;

/**
 * Opens a SQLite file for Kysely. Kysely prepares each query anew, which costs more than running it,
 * so prepared statements are kept by their text. That is safe: each runs to its end before the next.
 */
export function openSqlite(
  file: string,
  { synchronous }: { synchronous: 'full' | 'normal' },
): SqliteDatabase & { isFull(): boolean } {
  const database = new Database(file);
  // First: another process may have the file open, and whatever follows has to wait for it.
  database.pragma('busy_timeout = 5000');
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  database.pragma(`cache_size = -${cacheSize}`);
  const prepared = new Map<string, SqliteStatement>();
  const totalChanges = database.prepare('select total_changes() as count');
  const countChanges = () => Number((totalChanges.get() as { count: number }).count);
  /** Rows that had been changed when a write last failed because the disk was full; null while it is not. */
  let changesWhenFull: number | null = null;
  /** Records whether the last write failed because the disk is full. */
  function watch<Result>(sql: string, work: () => Result): Result {
    try {
      const result = work();
      // A transaction that changed nothing succeeds on a full disk as well.
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
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      // A transaction that reads first and writes then would be refused where another process wrote
      // in between: so it takes the right to write from the beginning, and waits for it.
      const reader = withReader(database.prepare(sql === 'begin' ? 'begin immediate' : sql));
      const statement: SqliteStatement = {
        ...reader,
        all: (parameters) => watch(sql, () => reader.all(parameters)),
        run: (parameters) =>
          // SQLite has rolled back by itself where the disk was full, and refuses to do so again.
          sql === 'rollback' && !database.inTransaction
            ? { changes: 0, lastInsertRowid: 0 }
            : watch(sql, () => reader.run(parameters)),
      };
      if (prepared.size < preparedLimit) prepared.set(sql, statement);
      return statement;
    },
    close() {
      prepared.clear();
      // The log goes into the file itself, so that a copy of that one file is a whole backup.
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}

/** Kysely asks at every execution whether a statement gives rows, and the library anew each time. */
function withReader(statement: Database.Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(storable(parameters)),
    run: (parameters) => statement.run(storable(parameters)),
    iterate: (parameters) => statement.iterate(storable(parameters)) as IterableIterator<unknown>,
  };
}

/**
 * Refuses what SQLite has no type for: `libsql` ends the whole process at a boolean or an object, and
 * stores NaN as null.
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
  return parameters;
}
