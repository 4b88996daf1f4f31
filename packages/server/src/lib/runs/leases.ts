import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/**
 * Duration of a lease in milliseconds. If a process dies, the leases of its runs expire after at most
 * this time.
 */
export const leaseTime = 6_000;
/** Milliseconds between renewals: a lease survives one failed renewal. */
export const renewalTime = 2_000;

/**
 * Milliseconds by which the clock of another process may be ahead. A lease that is valid for longer was
 * acquired before a clock was set back, and counts as expired: its process may have died.
 */
const clockTolerance = 60_000;

/**
 * Condition of rows whose lease is held by a living process.
 *
 * @param now Milliseconds since the epoch.
 * @param column The column with the end of the lease. Null is neither held nor expired.
 */
export function isLeaseHeld(now: number, column = 'lease_until'): RawBuilder<SqlBool> {
  const latest = now + leaseTime + clockTolerance;
  return sql<SqlBool>`${sql.ref(column)} between ${now + 1} and ${latest}`;
}

/**
 * Condition of rows in a queue: rows whose lease has expired, or was not acquired yet.
 *
 * @param now Milliseconds since the epoch.
 */
export function isLeaseFree(now: number): RawBuilder<SqlBool> {
  // Without the first part, SQLite would not use an index that contains only the rows in the queue.
  return sql<SqlBool>`lease_until is not null and not (${isLeaseHeld(now)})`;
}

/** The session of a run, with the user and the publishable key whose limits apply to the run. */
export type RunSession = Pick<
  SessionsTable,
  'id' | 'agent_id' | 'external_user_id' | 'publishable_key'
>;

/** Maximum concurrent runs, over all processes. */
export interface RunLimits {
  /** Per end user. */
  readonly perUser: number;
  /** Per publishable key, for all of its visitors together. */
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

/** Leases for the runs of sessions, in the table `runs`. */
export class Leases {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #newId: () => string;

  /** @param deps.owner Name of this process in the table, for debugging. */
  constructor(deps: { store: Store; clock: Clock; owner: string; newId: () => string }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#owner = deps.owner;
    this.#newId = deps.newId;
  }

  /**
   * Queues a run for a session, unless there is one. Call it in the transaction that appends the
   * event to respond to.
   */
  async queueRun(transaction: Transaction<Schema>, sessionId: string): Promise<void> {
    await transaction
      .insertInto('runs')
      .values({
        session_id: sessionId,
        id: this.#newId(),
        owner: '',
        lease_until: 0,
        started_at: this.#clock.now(),
        attempt: 0,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /**
   * Acquires the lease of a session's run.
   *
   * @param limits Null to ignore the limits.
   * @returns Null if no run is queued or a living process holds the lease; `queued` if the limit of
   *  the user or the publishable key is reached.
   */
  async acquire(session: RunSession, limits: RunLimits | null): Promise<Lease | 'queued' | null> {
    return this.#store.transaction(async (transaction) => {
      if (limits) {
        // Serializes counting and acquiring with other processes.
        await this.#store.lock(transaction, ...lockNames(session));
        if (!(await this.#hasRoom(transaction, session, limits))) return 'queued';
      }
      const now = this.#clock.now();
      const row = await transaction
        .updateTable('runs')
        .set((eb) => ({
          id: this.#newId(),
          owner: this.#owner,
          lease_until: now + leaseTime,
          attempt: eb('attempt', '+', 1),
        }))
        .where('session_id', '=', session.id)
        .where(isLeaseFree(now))
        .returning(['id', 'attempt'])
        .executeTakeFirst();
      return row ? { sessionId: session.id, id: row.id, attempt: Number(row.attempt) } : null;
    });
  }

  async #hasRoom(db: Kysely<Schema>, session: RunSession, limits: RunLimits): Promise<boolean> {
    const activeRuns = db
      .selectFrom('runs')
      .innerJoin('sessions', 'sessions.id', 'runs.session_id')
      .select(({ fn }) => fn.countAll().as('count'))
      .where(isLeaseHeld(this.#clock.now(), 'runs.lease_until'));
    const ofUser = await activeRuns
      .where('sessions.agent_id', '=', session.agent_id)
      .where('sessions.external_user_id', '=', session.external_user_id)
      .executeTakeFirstOrThrow();
    if (Number(ofUser.count) >= limits.perUser) return false;
    if (session.publishable_key === null) return true;
    const ofKey = await activeRuns
      .where('sessions.publishable_key', '=', session.publishable_key)
      .executeTakeFirstOrThrow();
    return Number(ofKey.count) < limits.perKey;
  }

  /** Extends a lease. Returns false if the lease was lost. */
  async renew(lease: Lease): Promise<boolean> {
    const result = await this.#store.db
      .updateTable('runs')
      .set({ lease_until: this.#clock.now() + leaseTime })
      .where('session_id', '=', lease.sessionId)
      .where('id', '=', lease.id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /**
   * Locks the row of the run, so that the lease cannot be lost during the rest of the transaction.
   *
   * @throws LeaseLostError If the lease was lost. Rolls the transaction back.
   */
  async assertHeld(transaction: Transaction<Schema>, lease: Lease): Promise<void> {
    const row = await transaction
      .selectFrom('runs')
      .select('id')
      .where('session_id', '=', lease.sessionId)
      .forUpdate()
      .executeTakeFirst();
    if (row?.id !== lease.id) throw new LeaseLostError();
  }

  /**
   * Deletes the row of a run that has ended. Call it in the transaction that appends the last event,
   * so that the row and the log agree.
   */
  async release(transaction: Transaction<Schema>, lease: Lease): Promise<void> {
    await transaction
      .deleteFrom('runs')
      .where('session_id', '=', lease.sessionId)
      .where('id', '=', lease.id)
      .execute();
  }

  /**
   * Puts an unfinished run back into the queue without counting an attempt, so that another process
   * can continue it immediately.
   */
  async requeue(lease: Lease): Promise<void> {
    await this.#store.db
      .updateTable('runs')
      .set((eb) => ({ lease_until: 0, attempt: eb('attempt', '-', 1) }))
      .where('session_id', '=', lease.sessionId)
      .where('id', '=', lease.id)
      .execute();
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

  /**
   * Finds queued runs that may start within the limits of their users and publishable keys. They are
   * ordered by the number of active and earlier queued runs of the same user, and then by waiting
   * time.
   *
   * @param maximum Maximum number of sessions.
   * @returns The ids of the sessions. `isComplete` is false if there may be more.
   */
  async findStartable(
    limits: RunLimits,
    maximum: number,
  ): Promise<{ sessionIds: string[]; isComplete: boolean }> {
    const isHeld = isLeaseHeld(this.#clock.now());
    const { rows } = await sql<{ session_id: string }>`
      with owned as (
        select runs.session_id, runs.lease_until, runs.started_at,
          sessions.agent_id, sessions.external_user_id, sessions.publishable_key
        from runs inner join sessions on sessions.id = runs.session_id
      ), of_user as (
        select agent_id, external_user_id, count(*) as running
        from owned where ${isHeld} group by agent_id, external_user_id
      ), of_key as (
        select publishable_key, count(*) as running
        from owned where ${isHeld} and publishable_key is not null
        group by publishable_key
      ), queue as (
        select owned.session_id, owned.started_at, owned.publishable_key,
          coalesce(of_user.running, 0) + row_number() over (
            partition by owned.agent_id, owned.external_user_id
            order by owned.started_at, owned.session_id
          ) as place
        from owned left join of_user on of_user.agent_id = owned.agent_id
          and of_user.external_user_id = owned.external_user_id
        where not (${isHeld})
      )
      select queue.session_id from queue
        left join of_key on of_key.publishable_key = queue.publishable_key
      where queue.place <= ${limits.perUser} and coalesce(of_key.running, 0) < ${limits.perKey}
      order by queue.place, queue.started_at, queue.session_id
      limit ${maximum}`.execute(this.#store.db);
    return { sessionIds: rows.map((row) => row.session_id), isComplete: rows.length < maximum };
  }
}

/** Names of the locks for counting the runs of a user and of a publishable key. */
function lockNames({ agent_id, external_user_id, publishable_key }: RunSession): string[] {
  const user = `runs_of_user:${agent_id}:${external_user_id}`;
  return publishable_key === null ? [user] : [user, `runs_of_key:${publishable_key}`];
}
