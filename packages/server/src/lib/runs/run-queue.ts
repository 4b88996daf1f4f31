import {
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely';
import type { Clock } from '../clock.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { subjectsOf } from '../limits/key-reserve.ts';
import { clampToInteger } from '../store/clamp-to-integer.ts';
import { prepare } from '../store/prepared.ts';
import type { RunsTable, Schema, SessionsTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** The session of a run, with the user and the publishable key whose limits apply to the run. */
type RunSession = Pick<
  SessionsTable,
  'id' | 'agent_id' | 'external_user_id' | 'publishable_key' | 'source'
>;

/** Maximum concurrent runs, over all processes. */
export interface RunLimits {
  /** Per end user. */
  readonly perUser: number;
  /** Per publishable key, for all of its visitors together. Half of it for those of one network. */
  readonly perKey: number;
}

/** The exclusive right to work on a session's run, held by one process at a time. */
export interface Lease {
  readonly sessionId: string;
  /** New for each holder, so that a former holder cannot write. */
  readonly id: string;
  /** 1 for a new run; incremented by each takeover after a process died or the run failed. */
  readonly attempt: number;
}

/** This process has lost the lease. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** A limit would be exceeded. Thrown to roll the transaction back. */
class OverLimitError extends Error {
  override readonly name = 'OverLimitError';
}

/** The columns that decide about the limits of a run, in the order in which they are counted. */
const scopeColumns = ['key_scope', 'network_scope', 'user_scope'] as const;
type ScopeColumn = (typeof scopeColumns)[number];
type Scopes = Pick<RunsTable, ScopeColumn>;

/** Further work in the transaction that takes a run. */
export type BeginRun = (
  transaction: Transaction<Schema>,
  lease: Lease,
) => Promise<(() => Promise<void>) | null>;

const insertRun = prepare((db) =>
  db
    .insertInto('runs')
    .columns(['session_id', 'id', ...scopeColumns, 'started_at', 'attempt'])
    .values({
      session_id: '',
      id: '',
      user_scope: '',
      key_scope: '',
      network_scope: '',
      started_at: 0,
      attempt: 0,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Takes a run of those that `choose` leaves. */
function takeRun(
  db: Kysely<Schema>,
  choose: (
    query: SelectQueryBuilder<Schema, 'runs' | 'workers', { session_id: string }>,
  ) => SelectQueryBuilder<Schema, 'runs' | 'workers', { session_id: string }>,
) {
  const queued = db
    .selectFrom('runs')
    // A process that counts as dead takes no runs.
    .innerJoin('workers', (join) => join.on('workers.id', '=', ''))
    .select('runs.session_id')
    .where('runs.worker', 'is', null)
    .where(isWithin(null))
    .forUpdate('runs')
    .skipLocked()
    .forKeyShare('workers');
  return db
    .updateTable('runs')
    .set((eb) => ({ id: '', worker: '', attempt: eb('attempt', '+', sql.lit(1)) }))
    .where('session_id', '=', choose(queued))
    .returning(['session_id', 'attempt', ...scopeColumns]);
}

const takeOfSession = prepare((db) =>
  takeRun(db, (queued) => queued.where('runs.session_id', '=', '')),
);

const takeNext = prepare((db) =>
  takeRun(db, (queued) =>
    queued
      .orderBy(activeOf('user_scope'))
      .orderBy('runs.started_at')
      .orderBy('runs.session_id')
      .limit(1),
  ),
);

const lockRun = prepare((db) =>
  db.selectFrom('runs').select(['id', 'worker']).where('session_id', '=', '').forUpdate(),
);

const deleteHeld = prepare((db) =>
  db
    .deleteFrom('runs')
    .where('session_id', '=', '')
    .where('id', '=', '')
    .where('worker', '=', '')
    .returning(({ exists, selectFrom }) => [
      ...scopeColumns,
      exists(selectFrom('runs as other').select('other.id').where('other.worker', 'is', null))
        .$castTo<boolean | number>()
        .as('has_queued'),
    ]),
);

const addActive = prepare((db) =>
  db
    .insertInto('run_counts')
    .values({ scope: '', active: 1 })
    .onConflict((conflict) =>
      conflict
        .column('scope')
        .doUpdateSet((eb) => ({ active: eb('run_counts.active', '+', sql.lit(1)) }))
        .where('run_counts.active', '<', 0),
    )
    .returning('scope'),
);

const subtractActive = prepare((db) =>
  db
    .updateTable('run_counts')
    .set((eb) => ({ active: eb('active', '-', sql.lit(1)) }))
    .where('scope', '=', '')
    .returning('active'),
);

const deleteCount = prepare((db) =>
  db.deleteFrom('run_counts').where('scope', '=', '').where('active', '<=', 0).returning('scope'),
);

/**
 * The queue of runs, in the table `runs`. A run belongs to the process that has taken it, until it has
 * ended or the process stops or dies; see `Worker`. The number of active runs of each end user and
 * publishable key is kept in `run_counts`, in the transactions that start and end runs.
 */
export class RunQueue {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #worker: string;

  /** @param deps.worker Id of this process in the table `workers`. */
  constructor(deps: { store: Store; clock: Clock; worker: string }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#worker = deps.worker;
  }

  /**
   * Queues a run for a session, unless there is one. Call it in the transaction that appends the
   * event to respond to, after the networks of the visitor are stored.
   */
  async add(transaction: Transaction<Schema>, session: RunSession): Promise<void> {
    const { agent_id: agentId, external_user_id: externalUserId, publishable_key: key } = session;
    await insertRun(
      transaction,
      session.id,
      '',
      userScope({ agentId, externalUserId }),
      key === null ? null : `key:${key}`,
      key === null ? null : networkScope(session.source, key),
      this.#clock.now(),
      0,
    );
  }

  /**
   * Takes a queued run: the one of a session, or else the next one that may start within the limits.
   * Runs of users with fewer active runs come first, then older ones.
   *
   * @param id A new id for the lease.
   * @param limits Null to ignore the limits.
   * @param begin Further work in the same transaction: it reads what it needs, and returns a function
   *   that writes. The shared counters of active runs are locked in between, for a short time.
   * @returns Null if no queued run may start.
   */
  async take(
    id: string,
    limits: RunLimits | null,
    sessionId?: string,
    begin?: BeginRun,
  ): Promise<Lease | null> {
    // Without a transaction, because most searches find nothing.
    if (sessionId === undefined && !(await this.#hasStartable(limits))) return null;
    try {
      return await this.#store.transaction((transaction) =>
        this.#take(transaction, id, limits, sessionId, begin),
      );
    } catch (error) {
      if (error instanceof OverLimitError) return null;
      throw error;
    }
  }

  /** The number of runs that no process has taken. */
  async waiting(): Promise<number> {
    const { count } = await this.#store.db
      .selectFrom('runs')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('worker', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async #hasStartable(limits: RunLimits | null): Promise<boolean> {
    const { rows } = await sql<{ found: boolean | number }>`
      select ${hasStartable(limits)} as found`.execute(this.#store.db);
    return Boolean(rows[0]?.found);
  }

  async #take(
    transaction: Transaction<Schema>,
    id: string,
    limits: RunLimits | null,
    sessionId: string | undefined,
    begin: BeginRun | undefined,
  ): Promise<Lease | null> {
    const maximums = scopeColumns.map((column) => limitOf(column, limits));
    const values = [id, this.#worker, this.#worker, ...maximums];
    const [run] =
      sessionId === undefined
        ? await takeNext(transaction, ...values, 1)
        : await takeOfSession(transaction, ...values, sessionId);
    if (!run) return null;
    const lease = { sessionId: run.session_id, id, attempt: Number(run.attempt) };
    const write = await begin?.(transaction, lease);
    await countActive(transaction, run, limits);
    await write?.();
    return lease;
  }

  /**
   * Locks the row of the run, so that the lease cannot be lost during the rest of the transaction.
   *
   * @throws LeaseLostError If the lease was lost. Rolls the transaction back.
   */
  async assertHeld(transaction: Transaction<Schema>, lease: Lease): Promise<void> {
    const [row] = await lockRun(transaction, lease.sessionId);
    if (row?.id !== lease.id || row.worker !== this.#worker) throw new LeaseLostError();
  }

  /**
   * Deletes the row of a run that has ended, in the transaction that appends the last event, so that
   * the row and the log agree.
   *
   * @returns Whether other runs were queued.
   * @throws LeaseLostError If the lease was lost. Rolls the transaction back.
   */
  async release(transaction: Transaction<Schema>, lease: Lease): Promise<boolean> {
    const [row] = await deleteHeld(transaction, lease.sessionId, lease.id, this.#worker);
    if (!row) throw new LeaseLostError();
    await countEnded(transaction, row);
    return Boolean(row.has_queued);
  }

  /** @throws LeaseLostError If the lease was lost. */
  requireHeld(lease: Lease): Promise<void> {
    return this.#store.transaction((transaction) => this.assertHeld(transaction, lease));
  }

  /** Deletes a run whose session does not exist any more. */
  remove(lease: Lease): Promise<void> {
    return this.#store.transaction(async (transaction) => {
      await this.release(transaction, lease);
    });
  }

  /**
   * Puts an unfinished run back into the queue, so that another process can continue it.
   *
   * @param isCounted Whether the attempt counts, because it failed.
   */
  async requeue(lease: Lease, isCounted: boolean): Promise<void> {
    await this.#store.transaction(async (transaction) => {
      const row = await transaction
        .updateTable('runs')
        .set((eb) => ({ worker: null, attempt: eb('attempt', '-', isCounted ? 0 : 1) }))
        .where('session_id', '=', lease.sessionId)
        .where('id', '=', lease.id)
        .where('worker', '=', this.#worker)
        .returning(scopeColumns)
        .executeTakeFirst();
      if (row) await countEnded(transaction, row);
    });
  }

  /**
   * Puts the runs of this process back into the queue whose ids `isKnown` rejects: a connection that
   * was lost leaves it unknown whether a run was taken or put back.
   */
  async requeueUnknown(isKnown: (id: string) => boolean): Promise<void> {
    const rows = await this.#store.db
      .selectFrom('runs')
      .select(['session_id', 'id', 'attempt'])
      .where('worker', '=', this.#worker)
      .execute();
    for (const { session_id: sessionId, id, attempt } of rows) {
      if (!isKnown(id)) await this.requeue({ sessionId, id, attempt: Number(attempt) }, true);
    }
  }

  /** Whether a session has an active or a queued run. */
  async hasRun(sessionId: string): Promise<boolean> {
    const row = await this.#store.db
      .selectFrom('runs')
      .select('id')
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Ids of the sessions of an agent that have an active or a queued run.
   *
   * @param externalUserId Only the sessions of this end user; by default, of all.
   */
  async sessionIdsOf(agentId: string, externalUserId?: string): Promise<string[]> {
    const ofAgent = this.#store.db
      .selectFrom('runs')
      .innerJoin('sessions', 'sessions.id', 'runs.session_id')
      .select('runs.session_id')
      .where('sessions.agent_id', '=', agentId);
    const query =
      externalUserId === undefined
        ? ofAgent
        : ofAgent.where('sessions.external_user_id', '=', externalUserId);
    const rows = await query.execute();
    return rows.map((row) => row.session_id);
  }
}

/** SQL condition: a queued run may start within the limits. */
export function hasStartable(limits: RunLimits | null): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from runs where worker is null and ${isWithin(limits)}
  )`;
}

/** SQL condition of the runs that exceed no limit when they start. */
function isWithin(limits: RunLimits | null): RawBuilder<SqlBool> {
  const conditions = scopeColumns.map(
    (column) => sql`${activeOf(column)} < ${limitOf(column, limits)}`,
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/** The number of active runs in the same scope as a run. */
function activeOf(column: ScopeColumn): RawBuilder<number> {
  return sql<number>`coalesce((
    select active from run_counts where scope = ${sql.ref(`runs.${column}`)}), 0)`;
}

/** Deletes the runs of sessions. Returns the ids of the sessions that had one. */
export async function deleteRuns(
  transaction: Transaction<Schema>,
  sessionIds: readonly string[],
): Promise<string[]> {
  const rows = await transaction
    .deleteFrom('runs')
    .where('session_id', 'in', sessionIds)
    .returning(['session_id', 'worker', ...scopeColumns])
    .execute();
  for (const row of rows) if (row.worker !== null) await countEnded(transaction, row);
  return rows.map((row) => row.session_id);
}

/** Queues the runs of a process again. The caller has deleted the row of the process. */
export async function queueRunsOf(transaction: Transaction<Schema>, worker: string): Promise<void> {
  // Waits for transactions of the process that are still ending a run.
  const runs = await transaction
    .selectFrom('runs')
    .select('session_id')
    .where('worker', '=', worker)
    .forUpdate()
    .execute();
  if (runs.length === 0) return;
  await sql`
    update run_counts set active = active - ended.count
    from (
      select scope, count(*) as count from (
        ${sql.join(
          scopeColumns.map(
            (column) => sql`select ${sql.ref(column)} as scope from runs where worker = ${worker}`,
          ),
          sql` union all `,
        )}
      ) as scopes group by scope
    ) as ended
    where run_counts.scope = ended.scope`.execute(transaction);
  await transaction.deleteFrom('run_counts').where('active', '<=', 0).execute();
  await transaction
    .updateTable('runs')
    .set({ worker: null })
    .where('worker', '=', worker)
    .execute();
}

/** The scope of the largest network of a visitor, for the runs of a publishable key. */
function networkScope(source: string | null, key: string): string | null {
  const network = subjectsOf(source).at(-1);
  return network === undefined ? null : `network:${key}:${network}`;
}

function limitOf(column: ScopeColumn, limits: RunLimits | null): number {
  const { perUser, perKey } = limits ?? { perUser: Infinity, perKey: Infinity };
  const limit = { user_scope: perUser, key_scope: perKey, network_scope: Math.ceil(perKey / 2) };
  return clampToInteger(limit[column]);
}

/** @throws OverLimitError If a limit would be exceeded. */
async function countActive(
  transaction: Transaction<Schema>,
  run: Scopes,
  limits: RunLimits | null,
): Promise<void> {
  for (const column of scopeColumns) {
    const scope = run[column];
    if (scope === null) continue;
    const [counted] = await addActive(transaction, scope, 1, limitOf(column, limits));
    if (!counted) throw new OverLimitError();
  }
}

async function countEnded(transaction: Transaction<Schema>, run: Scopes): Promise<void> {
  // The order must be the same as in `countActive`, to avoid deadlocks.
  for (const column of scopeColumns) {
    const scope = run[column];
    if (scope === null) continue;
    // The last active run of a scope, as usual.
    const [deleted] = await deleteCount(transaction, scope, 1);
    if (deleted) continue;
    const [row] = await subtractActive(transaction, scope);
    if (row && Number(row.active) <= 0) await deleteCount(transaction, scope, 0);
  }
}
