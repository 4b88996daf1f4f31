import type { Transaction } from 'kysely';
import type { Clock } from '../ports/clock.ts';
import type { Schema } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds that a lease holds. A run whose process died is taken up after at most so long. */
export const leaseTime = 6_000;
/** Milliseconds between renewals: two may be lost before the lease is. */
export const renewalTime = 2_000;

/** Runs that one look for expired leases finds. */
const foundAtOnce = 100;

/** The right to work on a session's run, held by one process at a time. */
export interface Lease {
  readonly sessionId: string;
  /** Changes with each holder, so that one who lost it cannot write any more. */
  readonly id: string;
  /** 1 for a fresh run; more where earlier processes died of it. */
  readonly attempt: number;
}

/** The process that wanted to write does not hold the lease any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export class Leases {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #newId: () => string;

  /** @param deps.owner Names this process, for a person who reads the table. */
  constructor(deps: { store: Store; clock: Clock; owner: string; newId: () => string }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#owner = deps.owner;
    this.#newId = deps.newId;
  }

  /** Asks for work on a session, inside the transaction that gives the reason. */
  async request(transaction: Transaction<Schema>, sessionId: string): Promise<void> {
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

  /** Null where nothing is asked for, or a living process holds it. */
  async acquire(sessionId: string): Promise<Lease | null> {
    const now = this.#clock.now();
    const row = await this.#store.db
      .updateTable('runs')
      .set((eb) => ({
        id: this.#newId(),
        owner: this.#owner,
        lease_until: now + leaseTime,
        attempt: eb('attempt', '+', 1),
      }))
      .where('session_id', '=', sessionId)
      .where('lease_until', '<=', now)
      .returning(['id', 'attempt'])
      .executeTakeFirst();
    return row ? { sessionId, id: row.id, attempt: Number(row.attempt) } : null;
  }

  /** False where it was lost. */
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
   * Inside the transaction of a write: throws, and so undoes it, where the lease was lost. It cannot
   * be lost until the transaction is over.
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

  /** The run is over. Inside the transaction of its last event, so that the two cannot differ. */
  async release(lease: Lease, transaction?: Transaction<Schema>): Promise<void> {
    await (transaction ?? this.#store.db)
      .deleteFrom('runs')
      .where('session_id', '=', lease.sessionId)
      .where('id', '=', lease.id)
      .execute();
  }

  /** The run is not over, but this process will not go on with it: another may at once. */
  async abandon(lease: Lease): Promise<void> {
    await this.#store.db
      .updateTable('runs')
      .set({ lease_until: 0 })
      .where('session_id', '=', lease.sessionId)
      .where('id', '=', lease.id)
      .execute();
  }

  /** Whether somebody works on a session, or should. */
  async isWanted(sessionId: string): Promise<boolean> {
    const row = await this.#store.db
      .selectFrom('runs')
      .select('id')
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Sessions of an end user that somebody works on, or should. */
  async ofUser(agentId: string, externalUserId: string): Promise<string[]> {
    const rows = await this.#store.db
      .selectFrom('runs')
      .innerJoin('sessions', 'sessions.id', 'runs.session_id')
      .select('runs.session_id')
      .where('sessions.agent_id', '=', agentId)
      .where('sessions.external_user_id', '=', externalUserId)
      .execute();
    return rows.map((row) => row.session_id);
  }

  /** Sessions whose run nobody works on, longest waiting first; not all of them where there are many. */
  async expired(): Promise<{ sessionIds: string[]; areAll: boolean }> {
    const rows = await this.#store.db
      .selectFrom('runs')
      .select('session_id')
      .where('lease_until', '<=', this.#clock.now())
      .orderBy('lease_until')
      .limit(foundAtOnce)
      .execute();
    return { sessionIds: rows.map((row) => row.session_id), areAll: rows.length < foundAtOnce };
  }
}
