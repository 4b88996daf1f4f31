import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { subjectsOf } from '../limits/key-reserve.ts';
import { clampToInteger } from '../store/clamp-to-integer.ts';
import type { RunsTable, Schema, SessionsTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** The session of a run, with the user and the publishable key whose limits apply to the run. */
type RunSession = Pick<SessionsTable, 'id' | 'agent_id' | 'external_user_id' | 'publishable_key'>;

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
    await transaction
      .insertInto('runs')
      .values({
        session_id: session.id,
        id: '',
        worker: null,
        user_scope: userScope({ agentId, externalUserId }),
        key_scope: key === null ? null : `key:${key}`,
        network_scope: key === null ? null : await networkScope(transaction, session.id, key),
        started_at: this.#clock.now(),
        attempt: 0,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /**
   * Takes a queued run: the one of a session, or else the next one that may start within the limits.
   * Runs of users with fewer active runs come first, then older ones.
   *
   * @param id A new id for the lease.
   * @param limits Null to ignore the limits.
   * @returns Null if no queued run may start.
   */
  async take(id: string, limits: RunLimits | null, sessionId?: string): Promise<Lease | null> {
    // Without a transaction, because most searches find nothing.
    if (sessionId === undefined && !(await this.#hasStartable(limits))) return null;
    try {
      return await this.#store.transaction((transaction) =>
        this.#take(transaction, id, limits, sessionId),
      );
    } catch (error) {
      if (error instanceof OverLimitError) return null;
      throw error;
    }
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
  ): Promise<Lease | null> {
    let query = transaction
      .selectFrom('runs')
      // A process that counts as dead takes no runs.
      .innerJoin('workers', (join) => join.on('workers.id', '=', this.#worker))
      .select(['runs.session_id', 'runs.user_scope', 'runs.key_scope', 'runs.network_scope'])
      .where('runs.worker', 'is', null)
      .limit(1)
      .forUpdate('runs')
      .skipLocked()
      .forKeyShare('workers');
    if (sessionId !== undefined) {
      query = query.where('runs.session_id', '=', sessionId);
    } else {
      query = query
        .where(isWithin(limits))
        .orderBy(activeOf('user_scope'))
        .orderBy('runs.started_at')
        .orderBy('runs.session_id');
    }
    const run = await query.executeTakeFirst();
    if (!run) return null;
    await countActive(transaction, run, limits);
    const { attempt } = await transaction
      .updateTable('runs')
      .set((eb) => ({ id, worker: this.#worker, attempt: eb('attempt', '+', 1) }))
      .where('session_id', '=', run.session_id)
      .returning('attempt')
      .executeTakeFirstOrThrow();
    return { sessionId: run.session_id, id, attempt: Number(attempt) };
  }

  /**
   * Locks the row of the run, so that the lease cannot be lost during the rest of the transaction.
   *
   * @throws LeaseLostError If the lease was lost. Rolls the transaction back.
   */
  async assertHeld(transaction: Transaction<Schema>, lease: Lease): Promise<void> {
    const row = await transaction
      .selectFrom('runs')
      .select(['id', 'worker'])
      .where('session_id', '=', lease.sessionId)
      .forUpdate()
      .executeTakeFirst();
    if (row?.id !== lease.id || row.worker !== this.#worker) throw new LeaseLostError();
  }

  /**
   * Deletes the row of a run that has ended. Call it after `assertHeld`, in the transaction that
   * appends the last event, so that the row and the log agree.
   */
  async release(transaction: Transaction<Schema>, { sessionId }: Lease): Promise<void> {
    await deleteRuns(transaction, 'session_id', sessionId);
  }

  /** @throws LeaseLostError If the lease was lost. */
  requireHeld(lease: Lease): Promise<void> {
    return this.#store.transaction((transaction) => this.assertHeld(transaction, lease));
  }

  /** Deletes a run whose session does not exist any more. */
  remove(lease: Lease): Promise<void> {
    return this.#store.transaction(async (transaction) => {
      await this.assertHeld(transaction, lease);
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

/** Deletes the run of a session, or the runs of a user. Returns the ids of their sessions. */
export async function deleteRuns(
  transaction: Transaction<Schema>,
  column: 'session_id' | 'user_scope',
  value: string,
): Promise<string[]> {
  const rows = await transaction
    .deleteFrom('runs')
    .where(column, '=', value)
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
async function networkScope(
  transaction: Transaction<Schema>,
  sessionId: string,
  key: string,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('sessions')
    .select('source')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  const network = subjectsOf(row?.source ?? null).at(-1);
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
    const counted = await transaction
      .insertInto('run_counts')
      .values({ scope, active: 1 })
      .onConflict((conflict) =>
        conflict
          .column('scope')
          .doUpdateSet((eb) => ({ active: eb('run_counts.active', '+', 1) }))
          .where('run_counts.active', '<', limitOf(column, limits)),
      )
      .returning('scope')
      .executeTakeFirst();
    if (!counted) throw new OverLimitError();
  }
}

async function countEnded(transaction: Transaction<Schema>, run: Scopes): Promise<void> {
  // The order must be the same as in `countActive`, to avoid deadlocks.
  for (const column of scopeColumns) {
    const scope = run[column];
    if (scope === null) continue;
    const row = await transaction
      .updateTable('run_counts')
      .set((eb) => ({ active: eb('active', '-', 1) }))
      .where('scope', '=', scope)
      .returning('active')
      .executeTakeFirst();
    if (row && Number(row.active) <= 0) {
      await transaction.deleteFrom('run_counts').where('scope', '=', scope).execute();
    }
  }
}
