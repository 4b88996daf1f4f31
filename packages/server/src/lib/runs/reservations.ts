import { sql, type Transaction } from 'kysely';
import { type Clock, dayMs } from '../clock.ts';
import { type LockedSession, lockSession } from '../events/lock-session.ts';
import { changeSession, type SessionChanges } from '../events/update-session-row.ts';
import type { DailyQuota } from '../limits/daily-quotas.ts';
import { addToDay, type DayTable } from '../limits/day-counters.ts';
import { subjectsOf } from '../limits/key-reserve.ts';
import type { Random } from '../random.ts';
import { newId } from '../random.ts';
import { prepare, prepareInsert } from '../store/prepared.ts';
import type { Schema, SpendReservationsTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/**
 * Milliseconds after which the row of a released reservation is deleted. Until then, the call can
 * still be settled.
 */
const deleteAfter = dayMs;

/** The amount to reserve for a model call, and the budgets that apply to it. */
export interface ReservationRequest {
  leaseId: string;
  sessionId: string;
  microcents: number;
  /** The daily budget of the publishable key's visitors, for a UTC day; null if none applies. */
  day: {
    publishableKey: string;
    day: string;
    budgetMicrocents: number;
    /** The parts of the daily budget for this visitor, and for all visitors of its networks. */
    quotas: readonly DailyQuota[];
  } | null;
  /** The daily budget of a signed-in user; null if none applies. */
  user?: {
    agentId: string;
    externalUserId: string;
    day: string;
    budgetMicrocents: number;
  } | null;
}

/** The amount does not fit into a budget at present. Thrown to roll the transaction back. */
export class OverBudgetError extends Error {
  override readonly name = 'OverBudgetError';
}

/**
 * Reserves the cost of model calls in the budget of a session and in the daily budget of a publishable
 * key or a signed-in user, so that concurrent calls, in any number of processes, cannot overspend
 * together. A call is admitted if its maximum cost fits into the budget, or if no other call is in
 * progress. The whole budget can therefore be used, and at most one call exceeds it.
 *
 * A provider may report more tokens than the request allows. A call with a publishable key therefore
 * reserves at least the cost of the most expensive call on the latest day of the key; until the first
 * cost is known, the calls of the key run one at a time.
 *
 * Reservations of a process that died are released a few seconds later, when the run is queued again:
 * by the next call that finds no room, or by the hourly cleanup.
 *
 * All changes lock the rows in the same order: session, reservation, quotas, day.
 */
export class Reservations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(ports: { store: Store; clock: Clock; random: Random }) {
    this.#store = ports.store;
    this.#clock = ports.clock;
    this.#random = ports.random;
  }

  /** Reserves the amount. Returns the reservation's id; null while it does not fit. */
  async reserve(request: ReservationRequest): Promise<string | null> {
    const id = await this.#tryToReserve(request);
    if (id !== null || (await this.releaseStale()) === 0) return id;
    return this.#tryToReserve(request);
  }

  /**
   * Reserves the amount in a transaction that has locked the session.
   *
   * @returns The reservation's id, and the changes of the session that the caller must write.
   * @throws OverBudgetError If the amount does not fit. Rolls the transaction back.
   */
  async reserveIn(
    transaction: Transaction<Schema>,
    session: BudgetedSession,
    request: ReservationRequest,
  ): Promise<{ id: string; changes: SessionChanges }> {
    const { leaseId, sessionId, day, user } = request;
    const mostExpensive = day && (await mostExpensiveCall(transaction, day.publishableKey));
    const microcents = Math.max(request.microcents, mostExpensive ?? 0);
    if (!fitsInSession(session, microcents)) throw new OverBudgetError();
    const id = newId(this.#random, 'rsv_');
    const { visitor, source } = subjectsOfDay(day);
    await insertReservation(transaction, [
      {
        id,
        lease_id: leaseId,
        session_id: sessionId,
        publishable_key: day?.publishableKey ?? null,
        visitor,
        source,
        agent_id: user?.agentId ?? null,
        external_user_id: user?.externalUserId ?? null,
        day: day?.day ?? user?.day ?? '',
        microcents,
        created_at: this.#clock.now(),
      },
    ]);
    if (user) {
      const { agentId: agent_id, externalUserId: external_user_id, day } = user;
      const row = { agent_id, external_user_id, day };
      await reserveInDay(transaction, 'end_user_days', row, user.budgetMicrocents, microcents);
    }
    if (day) {
      const row = { publishable_key: day.publishableKey, day: day.day };
      for (const { subject, spendMicrocents } of day.quotas) {
        const share = { ...row, subject };
        await reserveInDay(
          transaction,
          'publishable_key_shares',
          share,
          spendMicrocents,
          microcents,
        );
      }
      await reserveInDay(
        transaction,
        'publishable_key_days',
        row,
        day.budgetMicrocents,
        microcents,
        mostExpensive === null,
      );
    }
    return { id, changes: { reservedMicrocents: microcents } };
  }

  /**
   * Replaces a reservation by the actual cost, in a transaction that has locked the session.
   * Idempotent.
   *
   * @returns The changes of the session that the caller must write.
   */
  async settle(
    transaction: Transaction<Schema>,
    id: string,
    microcents: number,
  ): Promise<SessionChanges> {
    const [row] = await deleteReservation(transaction, id);
    return row ? settleReservation(transaction, row, microcents) : {};
  }

  /**
   * Releases the reservations of runs that have ended or lost their lease without settling their
   * calls.
   *
   * @returns The number of released reservations.
   */
  async releaseStale(): Promise<number> {
    const stale = await this.#store.db
      .selectFrom('spend_reservations')
      .select(['id', 'session_id'])
      .where('microcents', '>', 0)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('runs')
              .select('runs.id')
              .whereRef('runs.session_id', '=', 'spend_reservations.session_id')
              .whereRef('runs.id', '=', 'spend_reservations.lease_id')
              .where('runs.worker', 'is not', null),
          ),
        ),
      )
      .execute();
    for (const { id, session_id } of stale) {
      await this.#store.transaction((tx) => release(tx, id, session_id));
    }
    return stale.length;
  }

  /** Releases stale reservations, and deletes the rows of old calls that were never settled. */
  async cleanUp(): Promise<void> {
    await this.releaseStale();
    await this.#store.db
      .deleteFrom('spend_reservations')
      .where('microcents', '=', 0)
      .where('created_at', '<', this.#clock.now() - deleteAfter)
      .execute();
  }

  async #tryToReserve(request: ReservationRequest): Promise<string | null> {
    const { sessionId } = request;
    try {
      return await this.#store.transaction(async (transaction) => {
        const session = await lockSession(transaction, sessionId);
        if (!session) return null;
        const { id, changes } = await this.reserveIn(transaction, session, request);
        await changeSession(transaction, sessionId, changes);
        return id;
      });
    } catch (error) {
      if (error instanceof OverBudgetError) return null;
      throw error;
    }
  }
}

/** The columns of a locked session that limit what its model calls may reserve. */
type BudgetedSession = Pick<
  LockedSession,
  'budget_cents' | 'spent_microcents' | 'reserved_microcents'
>;

/** Whether an amount fits beside the other reservations, or there are no others. */
function fitsInSession(session: BudgetedSession, microcents: number): boolean {
  if (session.budget_cents === null) return true;
  const budget = Number(session.budget_cents) * 1_000_000;
  const spent = Number(session.spent_microcents);
  const reserved = Number(session.reserved_microcents);
  return spent < budget && (reserved === 0 || spent + reserved + microcents <= budget);
}

const insertReservation = prepareInsert('spend_reservations', [
  'id',
  'lease_id',
  'session_id',
  'publishable_key',
  'visitor',
  'source',
  'agent_id',
  'external_user_id',
  'day',
  'microcents',
  'created_at',
]);

const reservationColumns = [
  'session_id',
  'publishable_key',
  'visitor',
  'source',
  'agent_id',
  'external_user_id',
  'day',
  'microcents',
] as const;
type ReservationRow = Pick<SpendReservationsTable, (typeof reservationColumns)[number]>;

const deleteReservation = prepare((db) =>
  db.deleteFrom('spend_reservations').where('id', '=', '').returning(reservationColumns),
);

type Day = NonNullable<ReservationRequest['day']>;

/** The columns `visitor` and `source` of a reservation. */
function subjectsOfDay(day: Day | null) {
  const subjects = (ofVisitor: boolean) =>
    day?.quotas
      .filter(({ kind }) => (kind === 'visitor') === ofVisitor)
      .map(({ subject }) => subject)
      .join(' ') || null;
  return { visitor: subjects(true), source: subjects(false) };
}

/** @throws OverBudgetError If the amount does not fit into the budget of the day. */
async function reserveInDay(
  transaction: Transaction<Schema>,
  table: DayTable,
  row: Readonly<Record<string, string>>,
  budget: number,
  microcents: number,
  mustBeAlone = false,
): Promise<void> {
  const condition = sql`${sql.ref(`${table}.spent_microcents`)} < ${budget} and ${
    mustBeAlone
      ? sql`${sql.ref(`${table}.reserved_microcents`)} = 0`
      : fits(microcents, budget, table)
  }`;
  const reserve = () =>
    addToDay(transaction, table, row, 'reserved_microcents', microcents, condition);
  if (budget === 0 || (await reserve()) === null) throw new OverBudgetError();
}

/** Cost of the key's most expensive call on the latest day with calls; null if there was no call. */
async function mostExpensiveCall(
  transaction: Transaction<Schema>,
  publishableKey: string,
): Promise<number | null> {
  const row = await transaction
    .selectFrom('publishable_key_days')
    .select('dearest_microcents')
    .where('publishable_key', '=', publishableKey)
    .where('dearest_microcents', '>', 0)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? Number(row.dearest_microcents) : null;
}

/** SQL condition: the amount fits beside the other reservations, or there are no others. */
function fits(microcents: number, budget: number, table: string) {
  const reserved = sql.ref(`${table}.reserved_microcents`);
  const spent = sql.ref(`${table}.spent_microcents`);
  return sql<boolean>`(${reserved} = 0 or ${spent} + ${reserved} + ${microcents} <= ${budget})`;
}

async function release(
  transaction: Transaction<Schema>,
  id: string,
  sessionId: string,
): Promise<void> {
  // Settled without the session if it was deleted: the rest of the budgets remain.
  await lockSession(transaction, sessionId);
  const row = await transaction
    .selectFrom('spend_reservations')
    .select(reservationColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  const { numUpdatedRows } = await transaction
    .updateTable('spend_reservations')
    .set({ microcents: 0 })
    .where('id', '=', id)
    .where('microcents', '>', 0)
    .executeTakeFirst();
  if (!row || numUpdatedRows === 0n) return;
  await changeSession(transaction, sessionId, await settleReservation(transaction, row, 0));
}

/**
 * Replaces the reserved amount by the spent amount in the daily budgets of a reservation. Returns the
 * changes of its session.
 */
async function settleReservation(
  transaction: Transaction<Schema>,
  row: ReservationRow,
  spent: number,
): Promise<SessionChanges> {
  const reserved = Number(row.microcents);
  if (row.agent_id !== null && row.external_user_id !== null) {
    await settleUserDay(transaction, reserved, spent, row.agent_id, row.external_user_id, row.day);
  }
  if (row.publishable_key !== null) {
    // The order must be the same as in `reserve`, to avoid deadlocks.
    for (const subject of [row.visitor, ...subjectsOf(row.source)]) {
      if (subject === null) continue;
      await settleShare(transaction, reserved, spent, row.publishable_key, row.day, subject);
    }
    await settleKeyDay(transaction, reserved, spent, spent, spent, row.publishable_key, row.day);
  }
  return { reservedMicrocents: -reserved, spentMicrocents: spent };
}

/** The reserved amount, which is subtracted, and the spent one, which is added. */
const settled = {
  reserved_microcents: sql<number>`reserved_microcents - ${0}`,
  spent_microcents: sql<number>`spent_microcents + ${0}`,
};

const settleUserDay = prepare((db) =>
  db
    .updateTable('end_user_days')
    .set(settled)
    .where('agent_id', '=', '')
    .where('external_user_id', '=', '')
    .where('day', '=', ''),
);

const settleShare = prepare((db) =>
  db
    .updateTable('publishable_key_shares')
    .set(settled)
    .where('publishable_key', '=', '')
    .where('day', '=', '')
    .where('subject', '=', ''),
);

const settleKeyDay = prepare((db) =>
  db
    .updateTable('publishable_key_days')
    .set((eb) => ({
      ...settled,
      dearest_microcents: eb
        .case()
        .when('dearest_microcents', '<', 0)
        .then(eb.val(0))
        .else(eb.ref('dearest_microcents'))
        .end(),
    }))
    .where('publishable_key', '=', '')
    .where('day', '=', ''),
);
