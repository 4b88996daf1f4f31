import type { SqliteDatabase, SqliteStatement } from 'kysely';
import Database from 'libsql';

/** Statements kept prepared. The queries are few; the bound guards against one built from input. */
const preparedLimit = 400;

/**
 * Opens a SQLite file for Kysely. Kysely prepares each query anew, which costs more than running it,
 * so prepared statements are kept by their text. That is safe: each runs to its end before the next.
 */
export function openSqlite(
  file: string,
  { synchronous }: { synchronous: 'full' | 'normal' },
): SqliteDatabase {
  const database = new Database(file);
  // First: another process may have the file open, and whatever follows has to wait for it.
  database.pragma('busy_timeout = 5000');
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
  const prepared = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      // A transaction that reads first and writes then would be refused where another process wrote
      // in between: so it takes the right to write from the beginning, and waits for it.
      const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql);
      if (prepared.size < preparedLimit) prepared.set(sql, statement as SqliteStatement);
      return statement as SqliteStatement;
    },
    close() {
      prepared.clear();
      // The log goes into the file itself, so that a copy of that one file is a whole backup.
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}
