import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Schema } from '../store/schema.ts';

/**
 * Reservations of costs in the monthly budgets of models, so that concurrent requests, in any number
 * of processes, cannot overspend together (`docs/adr/0009-spend-is-reserved.md`).
 *
 * All changes lock the rows in the same order: reservations, then months.
 */

/** A model and a UTC month, such as `2026-11`. */
export interface ModelMonth {
  readonly model: string;
  readonly month: string;
}

interface NewReservation extends ModelMonth {
  readonly id: string;
  readonly worker: string;
  readonly budgetMicrocents: number;
  /** The least cost to reserve. */
  readonly microcents: number;
  /**
   * Whether the request cannot cost more. Otherwise it reserves at least the cost of the most expensive
   * request of the latest month; until a first cost is known, it reserves the whole budget, so that
   * no other request is in progress.
   */
  readonly isMaximum: boolean;
}

/**
 * Reserves a cost if it fits beside the other reservations, or if there are no others. The whole budget
 * can therefore be used, and at most one request exceeds it.
 *
 * @returns False if the cost does not fit at present, or the budget is used up.
 */
export async function reserve(
  transaction: Transaction<Schema>,
  { id, model, month, worker, budgetMicrocents, microcents, isMaximum }: NewReservation,
): Promise<boolean> {
  const least = isMaximum
    ? microcents
    : Math.max(microcents, (await mostExpensiveRequest(transaction, model)) ?? budgetMicrocents);
  // A request that needs more than the budget is admitted without other reservations only.
  const amount = Math.min(least, budgetMicrocents);
  const reserved = sql.ref<number>('model_months.reserved_microcents');
  const spent = sql.ref<number>('model_months.spent_microcents');
  const row = await transaction
    .insertInto('model_months')
    .values({ model, month, spent_microcents: 0, reserved_microcents: amount })
    .onConflict((conflict) =>
      conflict
        .columns(['model', 'month'])
        .doUpdateSet({ reserved_microcents: sql<number>`${reserved} + ${amount}` })
        .where(
          sql<SqlBool>`${spent} < ${budgetMicrocents} and (
            ${reserved} = 0 or ${spent} + ${reserved} + ${amount} <= ${budgetMicrocents}
          )`,
        ),
    )
    .returning('model')
    .executeTakeFirst();
  if (!row) return false;
  await transaction
    .insertInto('model_reservations')
    .values({ id, model, month, microcents: amount, worker, video: null })
    .execute();
  return true;
}

/** Cost of the most expensive request of the latest month with costs; null if there was none. */
async function mostExpensiveRequest(db: Kysely<Schema>, model: string): Promise<number | null> {
  const row = await db
    .selectFrom('model_months')
    .select('dearest_microcents')
    .where('model', '=', model)
    .where('dearest_microcents', '>', 0)
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? Number(row.dearest_microcents) : null;
}

/** Releases the reservation of a request. Returns false if it was released before. */
export async function releaseReservation(
  transaction: Transaction<Schema>,
  id: string,
): Promise<boolean> {
  const count = await releaseWhere(transaction, sql<SqlBool>`id = ${id}`);
  return count > 0;
}

/**
 * Makes a reservation belong to a video task, which costs money when it is completed.
 *
 * @param cost Replaces the reserved cost; null to keep it.
 */
export async function keepForVideo(
  transaction: Transaction<Schema>,
  id: string,
  { video, cost }: { video: string; cost: number | null },
): Promise<void> {
  const row = await transaction
    .selectFrom('model_reservations')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const reserved = Number(row.microcents);
  const microcents = cost ?? reserved;
  await transaction
    .updateTable('model_reservations')
    .set({ worker: null, video, microcents })
    .where('id', '=', id)
    .execute();
  await transaction
    .updateTable('model_months')
    .set((eb) => ({ reserved_microcents: eb('reserved_microcents', '+', microcents - reserved) }))
    .where('model', '=', row.model)
    .where('month', '=', row.month)
    .execute();
}

/** Releases the reservation of a video task. Idempotent. */
export async function releaseVideo(transaction: Transaction<Schema>, video: string): Promise<void> {
  await releaseWhere(transaction, sql<SqlBool>`video = ${video}`);
}

/** Releases the reservations of video tasks that do not exist. */
export async function releaseDeletedVideos(transaction: Transaction<Schema>): Promise<void> {
  await releaseWhere(
    transaction,
    sql<SqlBool>`video is not null and not exists (
      select 1 from chat_model_videos where chat_model_videos.id = model_reservations.video
    )`,
  );
}

/**
 * Releases the reservations of processes that are not in `workers`. They include those that a process
 * made after it counted as dead.
 */
export async function releaseDeadWorkers(transaction: Transaction<Schema>): Promise<void> {
  await releaseWhere(
    transaction,
    sql<SqlBool>`worker is not null and not exists (
      select 1 from workers where workers.id = model_reservations.worker
    )`,
  );
}

async function releaseWhere(
  transaction: Transaction<Schema>,
  condition: RawBuilder<SqlBool>,
): Promise<number> {
  const rows = await transaction
    .deleteFrom('model_reservations')
    .where(condition)
    .returning(['model', 'month', 'microcents'])
    .execute();
  const keyOf = ({ model, month }: ModelMonth) => `${model} ${month}`;
  // All transactions must lock months in the same order, to avoid deadlocks.
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  for (const { model, month, microcents } of rows) {
    await transaction
      .updateTable('model_months')
      .set((eb) => ({ reserved_microcents: eb('reserved_microcents', '-', Number(microcents)) }))
      .where('model', '=', model)
      .where('month', '=', month)
      .execute();
  }
  return rows.length;
}

/** Adds the cost of a request to a month. */
export async function addCost(
  db: Kysely<Schema>,
  { model, month }: ModelMonth,
  cost: number,
): Promise<void> {
  if (cost === 0) return;
  await db
    .insertInto('model_months')
    .values({ model, month, spent_microcents: cost, dearest_microcents: cost })
    .onConflict((conflict) =>
      conflict.columns(['model', 'month']).doUpdateSet((eb) => ({
        spent_microcents: eb('model_months.spent_microcents', '+', cost),
        dearest_microcents: eb
          .case()
          .when('model_months.dearest_microcents', '<', cost)
          .then(cost)
          .else(eb.ref('model_months.dearest_microcents'))
          .end(),
      })),
    )
    .execute();
}
