import {
  type DialectAdapter,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryCompiler,
  sql,
} from 'kysely';
import { describeError, type Logger } from '../log/logger.ts';
import { explainFailure, requirePostgresUrl } from './explain-failure.ts';
import { migrate } from './migrate.ts';
import { createPostgresBlobs } from './postgres-blobs.ts';
import { openPool } from './postgres-pool.ts';
import { retryTransaction } from './retry-transaction.ts';
import type { Schema } from './schema.ts';
import type { Store } from './store.ts';

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
  await migrateExclusively(options).catch((error: unknown) => {
    throw explainFailure(error, url);
  });
  const connect = (size: number) =>
    open(
      openPool({
        url,
        size,
        // A process that hangs must not block the others with open transactions.
        limits: { statement_timeout: 30_000, idle_in_transaction_session_timeout: 15_000 },
        // The next query uses another connection, or reports the error.
        onLost: (error) => log.warn('a connection to the database was lost', describeError(error)),
      }),
    );
  const [db, priorityDb] = [connect(poolSize), connect(priorityPoolSize)];
  let closing: Promise<unknown> | undefined;
  return {
    ...createAccess(db),
    priority: createAccess(priorityDb),
    now: () => sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    // The database server monitors its own disk; a failed write gets a 503.
    isFull: () => false,
    blobs: createPostgresBlobs(db),
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

/**
 * Runs the migrations in one transaction, so that a failure changes nothing, and without a timeout:
 * it takes long to rewrite a large table, and other processes wait for the lock.
 */
async function migrateExclusively({ url, log }: PostgresStoreOptions): Promise<void> {
  const db = open(
    openPool({
      url,
      size: 1,
      limits: { statement_timeout: 0 },
      onLost: (error) => log.warn('a connection to the database was lost', describeError(error)),
    }),
  );
  try {
    await db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection);
      await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(connection);
      await migrate(connection);
      await sql`commit`.execute(connection);
    });
  } finally {
    // Closing the connection rolls back what was not committed.
    await db.destroy();
  }
}

/** Id of the advisory lock: an arbitrary number. */
const migrationLock = 4_953_284_371;

function open(pool: ReturnType<typeof openPool>): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new Dialect({ pool }) });
}

class Dialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new Compiler();
  }

  override createAdapter(): DialectAdapter {
    return new Adapter();
  }
}

/**
 * Disables Kysely's migration lock: it belongs to a connection, and a pooler such as PgBouncer
 * would hand that connection, still locked, to others. `migrateExclusively` takes a transaction
 * lock instead.
 */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Translates SQLite's `instr`, which the queries use, to PostgreSQL. */
class Compiler extends PostgresQueryCompiler {
  protected override visitFunction(
    ...[node]: Parameters<PostgresQueryCompiler['visitFunction']>
  ): void {
    super.visitFunction(node.func === 'instr' ? { ...node, func: 'strpos' } : node);
  }
}
