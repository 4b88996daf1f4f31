import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from '../log/logger.ts';
import {
  addDoneStep,
  createStepTable,
  type MigrationStep,
  migrations,
  pendingSteps,
  readDoneSteps,
} from './migrate.ts';
import { openPostgres } from './open-postgres.ts';
import type { Schema } from './schema.ts';

/**
 * Milliseconds that a migration waits for the lock of a table. Writes of other processes wait behind it,
 * so this also limits their delay.
 */
const lockTimeout = 500;
/**
 * Maximum milliseconds of a statement that changes a table. A process whose heartbeats wait longer loses
 * its runs to another one.
 */
const changeTimeout = 5_000;
/** Milliseconds between two attempts. */
const attemptInterval = 1_000;
/** Maximum attempts to get the locks of a migration, including the first. */
const maxAttempts = 100;
/** Id of the advisory lock: an arbitrary number. */
const migrationLock = 4_953_284_371;

/** `lock_not_available` and `deadlock_detected`. */
const lockErrors: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/**
 * Runs the pending migrations while processes of the previous version use the database. Of several
 * processes, one runs them, and the others wait until it has finished.
 */
export async function migratePostgres(
  { url, log }: { readonly url: string; readonly log: Logger },
  all = migrations,
): Promise<void> {
  // Without a timeout, because creating an index may take long.
  const db = openPostgres({ url, size: 2, limits: { statement_timeout: 0 }, log });
  try {
    // Without this check, a process of the previous version could not restart during a migration.
    if (pendingSteps(await readIfPresent(db), all).length === 0) return;
    const runSteps = async () => {
      await createStepTable(db);
      for (const step of pendingSteps(await readDoneSteps(db), all)) {
        await ('up' in step ? change(db, step, log) : createIndexes(db, step, log));
      }
    };
    while (!(await withLock(db, runSteps))) await delay(100);
  } finally {
    await db.destroy();
  }
}

/** Returns the names of the done steps. Creates no table, because a process may lack the right to. */
export async function readIfPresent(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass('migrations') as name`.execute(db);
  return rows[0]?.name ? readDoneSteps(db) : [];
}

function withReadCommitted<Result>(
  db: Kysely<Schema>,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().setIsolationLevel('read committed').execute(work);
}

/**
 * Performs the work while other processes are locked out, unless one of them has the lock. A lock of the
 * session would stay on a connection that a pooler such as PgBouncer gives to others.
 *
 * `create index concurrently` waits for the end of every transaction that has a snapshot at that moment.
 * Therefore each attempt to get the lock has its own transaction, and the query has no parameters: with
 * parameters, its portal and snapshot stay until the next query of the transaction.
 *
 * @returns Whether the work was done.
 */
function withLock(db: Kysely<Schema>, work: () => Promise<void>): Promise<boolean> {
  return withReadCommitted(db, async (holder) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(holder);
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(migrationLock)}) as locked`.execute(holder);
    const isLocked = rows[0]?.locked === true;
    if (isLocked) await work();
    return isLocked;
  });
}

/** Changes tables in a transaction that is repeated if it does not get their locks in time. */
async function change(
  db: Kysely<Schema>,
  step: Extract<MigrationStep, { up: unknown }>,
  log: Logger,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withReadCommitted(db, async (transaction) => {
        await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction);
        await sql`set local statement_timeout = ${sql.lit(changeTimeout)}`.execute(transaction);
        await step.up(transaction);
        await addDoneStep(transaction, step);
      });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (!lockErrors.has(code) || attempt === maxAttempts) throw error;
      if (attempt === 1) log.warn('a migration waits for a locked table', { migration: step.name });
      await delay(attemptInterval);
    }
  }
}

/** Creates indexes without blocking writes. An interrupted step is repeated at the next start. */
async function createIndexes(
  db: Kysely<Schema>,
  step: Extract<MigrationStep, { indexes: unknown }>,
  log: Logger,
): Promise<void> {
  for (const [name, columns] of Object.entries(step.indexes)) {
    // This may take minutes.
    log.info('creating an index', { index: name });
    // An interrupted creation leaves an index that queries do not use.
    const { rows } = await sql`
      select 1 from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(
      db,
    );
    if (rows.length > 0) await sql`drop index concurrently ${sql.id(name)}`.execute(db);
    await sql.raw(`create index concurrently if not exists ${name} on ${columns}`).execute(db);
  }
  await addDoneStep(db, step);
}
