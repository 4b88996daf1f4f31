import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/parse-config.ts';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../log/logger.ts';
import { type DataLock, lockData } from './lock-data.ts';
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

function unusableDirectory(data: string, cause: unknown): ConfigError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(`INLAY_DATA names ${data}, but this directory cannot be used: ${reason}`, {
    cause,
  });
}
