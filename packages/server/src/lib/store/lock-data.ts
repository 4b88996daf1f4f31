import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { ConfigError } from '../config/parse-config.ts';

/** A directory that this process has to itself. */
export interface DataLock {
  /** Lets another server have the directory. */
  close(): Promise<void>;
}

/**
 * Keeps other servers from the directory of the embedded store: what each of them publishes would not
 * reach the others' streams. The lock is SQLite's, on a file of its own, so that the operating system
 * ends it with the process, however that dies, and commands beside the server can use the store.
 *
 * @throws ConfigError Where another server holds it.
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
      `INLAY_DATA names ${directory}, and another server is running on that directory. Stop that one, or name another directory; several processes can share a PostgreSQL (DATABASE_URL).`,
      { cause },
    );
  }
  let isHeld = true;
  return {
    async close() {
      if (!isHeld) return;
      isHeld = false;
      // A connection with an open transaction keeps its lock after it is closed.
      database.exec('rollback');
      database.close();
    },
  };
}
