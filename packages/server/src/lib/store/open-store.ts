import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'libsql';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/parse-config.ts';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../log/logger.ts';
import type { Random } from '../random.ts';
import { type Blobs, createMovedBlobs } from './blobs.ts';
import type { S3BlobsOptions } from './s3-blobs.ts';
import { createSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

type StoreSettings = Pick<Settings, 'data' | 'databaseUrl'>;

/**
 * Opens the store that the settings select: SQLite, PostgreSQL or memory.
 *
 * @throws ConfigError If the store cannot be used.
 */
export async function openStore(options: {
  readonly settings: StoreSettings & Pick<Settings, 'databasePool'>;
  readonly config: Pick<Config, 'store'>;
  readonly log: Logger;
}): Promise<Store> {
  const { data, databaseUrl, databasePool } = options.settings;
  if (databaseUrl !== null) {
    // Loaded on demand, so that a process with an embedded store starts faster.
    const { createPostgresStore } = await import('./postgres-store.ts');
    return createPostgresStore({ url: databaseUrl, poolSize: databasePool, log: options.log });
  }
  return createSqliteStore({ data, ...options.config.store }).catch((cause: unknown) => {
    throw unusableDirectory(data, cause);
  });
}

/**
 * Opens the object storage of the configuration, if it has one.
 *
 * @param ofDatabase The blobs beside the database. The ones that were stored there remain there.
 * @throws ConfigError If the object storage cannot be used.
 */
export async function openBlobs(
  {
    config,
    ...options
  }: Omit<S3BlobsOptions, 'settings'> & {
    readonly config: Pick<Config, 'store'>;
    readonly random: Random;
  },
  ofDatabase: Blobs,
): Promise<Blobs> {
  const settings = config.store.object_storage;
  if (settings === null) return ofDatabase;
  // Loaded on demand, so that a process without an object storage starts faster.
  const { openS3Blobs } = await import('./s3-blobs.ts');
  return createMovedBlobs(await openS3Blobs({ ...options, settings }), ofDatabase);
}

/** Exclusive ownership of a data directory. */
export interface DataLock {
  /** Releases the directory. */
  close(): Promise<void>;
}

/**
 * Locks the directory of an embedded store for one server. Commands open the store without a lock.
 *
 * @returns The lock; null for a store that needs no lock.
 * @throws ConfigError If another server holds the lock, or the directory cannot be used.
 */
export function lockStore({ data, databaseUrl }: StoreSettings): DataLock | null {
  if (databaseUrl !== null || data === 'memory') return null;
  try {
    return lockData(data);
  } catch (cause) {
    throw cause instanceof ConfigError ? cause : unusableDirectory(data, cause);
  }
}

/**
 * Locks the directory of the embedded store for one server, because events of a second server would
 * not reach the streams of the first. The lock is a SQLite lock on a separate file: the operating
 * system releases it when the process ends, and commands can use the store while the server runs.
 *
 * @throws ConfigError If another server holds the lock.
 */
function lockData(directory: string): DataLock {
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

function unusableDirectory(data: string, cause: unknown): ConfigError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const directory = resolve(data);
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    return new ConfigError(
      `${join(directory, 'inlay.db')} is damaged, or no database: ${reason}. Restore it from a backup, or move it away to start with an empty store.`,
      { cause },
    );
  }
  const remedy = /^(EACCES|EPERM|EROFS|SQLITE_(CANTOPEN|READONLY))/.test(code)
    ? ' Let the user of this process write to it, or set INLAY_DATA to another directory.'
    : '';
  return new ConfigError(
    `INLAY_DATA names ${directory}, but this directory cannot be used: ${reason}.${remedy}`,
    { cause },
  );
}
