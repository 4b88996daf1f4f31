import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { ConfigError } from '../config/parse-config.ts';

/** Exclusive ownership of a data directory. */
export interface DataLock {
  /** Releases the directory. */
  close(): Promise<void>;
}

/**
 * Locks the directory of the embedded store for one server, because events of a second server would
 * not reach the streams of the first. The lock is a SQLite lock on a separate file: the operating
 * system releases it when the process ends, and commands can use the store while the server runs.
 *
 * @throws ConfigError If another server holds the lock.
 */
export function lockData(directory: string): DataLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const database = new Database(join(directory, 'server.lock'));
  try {
    database.pragma('busy_timeout = 0');
    database.exec('begin exclusive');
  } catch (cause) {
    database.close();
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_BUSY')) throw cause;
    throw new ConfigError(
      `INLAY_DATA names ${directory}, but another server is using this directory. Stop that server, or use another directory; several processes can share a PostgreSQL (DATABASE_URL).`,
      { cause },
    );
  }
  let isHeld = true;
  return {
    async close() {
      if (!isHeld) return;
      isHeld = false;
      // Without this, the lock would outlive the connection, because a transaction is open.
      database.exec('rollback');
      database.close();
    },
  };
}
