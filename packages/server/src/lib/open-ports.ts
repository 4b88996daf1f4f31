import type { Bus } from './bus/bus.ts';
import { createInProcessBus } from './bus/in-process-bus.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/parse-config.ts';
import type { Settings } from './config/settings.ts';
import { createInProcessLimiter } from './limits/in-process-limiter.ts';
import type { Limiter } from './limits/limiter.ts';
import type { Logger } from './log/logger.ts';
import type { Clock } from './ports/clock.ts';
import type { Random } from './ports/random.ts';
import { type DataLock, lockData } from './store/lock-data.ts';
import { createSqliteStore } from './store/sqlite-store.ts';
import type { Store } from './store/store.ts';

export interface OpenPortsOptions {
  settings: Pick<Settings, 'data' | 'databaseUrl' | 'databasePool' | 'redisUrl'>;
  config: Pick<Config, 'store'>;
  clock: Clock;
  random: Random;
  log: Logger;
}

/**
 * The store, and the parts through which processes share state. Local versions for a single
 * process.
 */
export interface Ports {
  readonly store: Store;
  readonly bus: Bus;
  readonly limiter: Limiter;
  /** Closes everything. To be called last. */
  close(): Promise<void>;
}

/**
 * Opens the services that the settings name. After an error nothing stays open.
 *
 * @throws `ConfigError` if a service cannot be used.
 */
export async function openPorts(options: OpenPortsOptions): Promise<Ports> {
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const port of opened.splice(0).reverse()) await port.close();
  };
  try {
    const { data, databaseUrl } = options.settings;
    if (databaseUrl === null && data !== 'memory') opened.push(lockDirectory(data));
    const store = await openStore(options);
    opened.push(store);
    const { redisUrl } = options.settings;
    if (redisUrl === null) {
      const bus = createInProcessBus(options.log);
      return { store, bus, limiter: createInProcessLimiter(options.clock), close };
    }
    // Loaded on demand, so that a single process starts faster and takes less memory.
    const [{ createRedisBus }, { createRedisLimiter }] = await Promise.all([
      import('./bus/redis-bus.ts'),
      import('./limits/redis-limiter.ts'),
    ]);
    const bus = await createRedisBus({ ...options, url: redisUrl });
    opened.push(bus);
    const limiter = await createRedisLimiter({ ...options, url: redisUrl });
    opened.push(limiter);
    return { store, bus, limiter, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the store alone.
 *
 * @throws `ConfigError` if it cannot be used.
 */
export async function openStore({
  settings,
  config,
  log,
}: Pick<OpenPortsOptions, 'settings' | 'config' | 'log'>): Promise<Store> {
  const { data, databaseUrl, databasePool } = settings;
  if (databaseUrl !== null) {
    const { createPostgresStore } = await import('./store/postgres-store.ts');
    return createPostgresStore({ url: databaseUrl, poolSize: databasePool, log });
  }
  return createSqliteStore({ data, ...config.store }).catch((cause: unknown) => {
    throw unusable(data, cause);
  });
}

function lockDirectory(data: string): DataLock {
  try {
    return lockData(data);
  } catch (cause) {
    throw cause instanceof ConfigError ? cause : unusable(data, cause);
  }
}

function unusable(data: string, cause: unknown): ConfigError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(`INLAY_DATA names ${data}, and that directory cannot be used: ${why}`, {
    cause,
  });
}
