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
import { explainFailure, requireAddress } from './explain-failure.ts';
import { migrate } from './migrate.ts';
import { createPostgresBlobs } from './postgres-blobs.ts';
import { openPool } from './postgres-pool.ts';
import { repeatable } from './repeatable.ts';
import type { Schema } from './schema.ts';
import type { Store } from './store.ts';

/** Connections that are kept for `Store.priority`. They are opened when they are first needed. */
const priorityPoolSize = 2;

export interface PostgresStoreOptions {
  /**
   * `postgres://user:password@host:5432/database`. Its parameters are those of libpq: TLS by
   * `sslmode` (`verify-full`, with the authority's certificate in the file that `sslrootcert`
   * names), and `statement_timeout`, milliseconds, in the place of 30,000.
   */
  url: string;
  /**
   * Connections of this process at most, besides two for `Store.priority`; default 10. All processes together must stay under the
   * server's `max_connections`. They carry queries of milliseconds, so that more than a few for each
   * core of the database make nothing faster.
   */
  poolSize?: number | undefined;
  log: Logger;
}

/**
 * Opens PostgreSQL as the store, with today's schema, which whoever starts first brings about.
 * Throws `ConfigError`, with the remedy, where it cannot be reached or does not let this server in.
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, poolSize = 10, log } = options;
  requireAddress(url);
  await migrateAlone(options).catch((error: unknown) => {
    throw explainFailure(error, url);
  });
  const connect = (size: number) =>
    open(
      openPool({
        url,
        size,
        // What is left open by a process that hangs must not hold up the others for long.
        limits: { statement_timeout: 30_000, idle_in_transaction_session_timeout: 15_000 },
        // The next query finds another connection, or says what is wrong.
        onLost: (error) => log.warn('a connection to the database was lost', describeError(error)),
      }),
    );
  const [db, priorityDb] = [connect(poolSize), connect(priorityPoolSize)];
  let closing: Promise<unknown> | undefined;
  return {
    ...accessBy(db),
    priority: accessBy(priorityDb),
    // The database server watches its own disk; a write that finds none is answered with 503.
    isFull: () => false,
    blobs: createPostgresBlobs(db),
    async close() {
      closing ??= Promise.all([db.destroy(), priorityDb.destroy()]);
      await closing;
    },
  };
}

function accessBy(db: Kysely<Schema>): Store['priority'] {
  return {
    db,
    // Said at each, because a database may have another default, and the row locks count on this.
    transaction: (work) =>
      repeatable(() => db.transaction().setIsolationLevel('read committed').execute(work)),
    async lock(transaction, ...names) {
      // In one order, so that no two wait for each other.
      const sorted = [...new Set(names)].sort();
      await sql`
        select pg_advisory_xact_lock(hashtextextended(name, 0))
        from unnest(${sorted}::text[]) as name`.execute(transaction);
    },
  };
}

/**
 * In one transaction, so that a failure leaves nothing half done, and without a limit of time:
 * rewriting a large table takes long, and the others wait for it.
 */
async function migrateAlone({ url, log }: PostgresStoreOptions): Promise<void> {
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
    // What was not committed ends with the connection.
    await db.destroy();
  }
}

/** Any number that nothing else in the database locks. */
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
 * Kysely's own lock belongs to a connection, and would be left behind on one that a pooler such as
 * PgBouncer hands to others. `migrateAlone` has one that ends with its transaction.
 */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** SQLite's name for finding a text in another, which the queries use, is another one here. */
class Compiler extends PostgresQueryCompiler {
  protected override visitFunction(
    ...[node]: Parameters<PostgresQueryCompiler['visitFunction']>
  ): void {
    super.visitFunction(node.func === 'instr' ? { ...node, func: 'strpos' } : node);
  }
}
