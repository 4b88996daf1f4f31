import { type Kysely, sql } from 'kysely';
import type { Logger } from '../log/logger.ts';
import { createDatabaseBlobs } from './database-blobs.ts';
import { explainFailure, requirePostgresUrl } from './explain-failure.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { openPostgres } from './open-postgres.ts';
import type { Schema } from './schema.ts';
import type { Store } from './store.ts';

/**
 * Maximum attempts, including the first. Few are needed: while one of two conflicting transactions
 * is rolled back and restarts, the other one usually commits.
 */
const maxAttempts = 5;

/** `serialization_failure` and `deadlock_detected`: the transaction was rolled back completely. */
const retryableCodes: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** Retries a transaction that the database aborted because of a conflict with another one. */
async function retryTransaction<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (!retryableCodes.has(code) || count === maxAttempts) throw error;
    }
  }
}

/** Connections for `Store.priority`, opened on first use. */
const priorityPoolSize = 2;

export interface PostgresStoreOptions {
  /**
   * `postgres://user:password@host:5432/database`, with the parameters of libpq: TLS by `sslmode`
   * (`verify-full`, with the certificate authority in the file `sslrootcert`), and
   * `statement_timeout` in milliseconds, which is 30000 by default.
   */
  url: string;
  /**
   * Maximum connections of this process, besides two for `Store.priority`. All processes together
   * must stay below the server's `max_connections`. Queries take milliseconds, so more than a few
   * connections per core of the database are of no use.
   *
   * @default 10
   */
  poolSize?: number | undefined;
  log: Logger;
}

/**
 * Opens PostgreSQL as the store. The first process to start runs the migrations.
 *
 * @throws `ConfigError` with the remedy if the database cannot be reached or rejects the login.
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, poolSize = 10, log } = options;
  requirePostgresUrl(url);
  await migratePostgres(options).catch((error: unknown) => {
    throw explainFailure(error, url);
  });
  const connect = (size: number) =>
    openPostgres({
      url,
      size,
      // A process that hangs must not block the others with open transactions.
      limits: { statement_timeout: 30_000, idle_in_transaction_session_timeout: 15_000 },
      log,
    });
  const [db, priorityDb] = [connect(poolSize), connect(priorityPoolSize)];
  let closing: Promise<unknown> | undefined;
  return {
    ...createAccess(db),
    priority: createAccess(priorityDb),
    now: () => sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    removeTraces: async () => {},
    // The database server monitors its own disk; a failed write gets a 503.
    isFull: () => false,
    blobs: createDatabaseBlobs(db),
    async close() {
      closing ??= Promise.all([db.destroy(), priorityDb.destroy()]);
      await closing;
    },
  };
}

function createAccess(db: Kysely<Schema>): Store['priority'] {
  return {
    db,
    // The row locks rely on this isolation level, and a database may have another default.
    transaction: (work) =>
      retryTransaction(() => db.transaction().setIsolationLevel('read committed').execute(work)),
    async lock(transaction, ...names) {
      // Sorted, to avoid deadlocks.
      const sorted = [...new Set(names)].sort();
      await sql`
        select pg_advisory_xact_lock(hashtextextended(name, 0))
        from unnest(${sorted}::text[]) as name`.execute(transaction);
    },
  };
}
