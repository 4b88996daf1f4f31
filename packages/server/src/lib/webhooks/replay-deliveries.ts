import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { isAfter } from '../http/paging.ts';
import { stepSize } from '../retention/sweep-step.ts';
import type { ServiceOptions } from '../service-options.ts';

/** SQL condition of the deliveries that have no further attempt. */
export const isFinished = sql<SqlBool>`status in ('delivered', 'failed', 'skipped')`;

/**
 * Queues the finished deliveries of a period again, oldest first, in steps between which other requests
 * are handled.
 *
 * @param period Milliseconds since the epoch; `to` is exclusive.
 * @returns Their number.
 */
export async function replayDeliveries(
  { store, clock }: Pick<ServiceOptions, 'store' | 'clock'>,
  endpointId: string,
  period: { readonly from: number; readonly to: number },
): Promise<number> {
  // Deliveries of events that happen meanwhile are not queued twice.
  const to = Math.min(period.to, clock.now());
  let position = { at: period.from, id: '' };
  let queued = 0;
  for (;;) {
    const rows = await store.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'created_at'])
      .where('endpoint_id', '=', endpointId)
      .where(isAfter('created_at', position, 'asc'))
      .where('created_at', '<', to)
      .orderBy('created_at')
      .orderBy('id')
      .limit(stepSize)
      .execute();
    const last = rows.at(-1);
    if (!last) return queued;
    position = { at: Number(last.created_at), id: last.id };
    const ids = rows.map(({ id }) => id);
    const { numUpdatedRows } = await store.db
      .updateTable('webhook_deliveries')
      .set((eb) => ({
        status: 'queued' as const,
        attempt: 0,
        // In the order of the events.
        run_after: eb.ref('created_at'),
        lane: sql<string | null>`endpoint_id || ':' || session_id`,
      }))
      .where('id', 'in', ids)
      .where(isFinished)
      .executeTakeFirst();
    queued += Number(numUpdatedRows);
    await nextTurn();
  }
}
