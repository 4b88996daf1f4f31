import { type SweepStep, stepSize } from '../../retention/sweep-step.ts';
import type { ServiceOptions } from '../../service-options.ts';

/** A step of the sweep: deletes the contents of expired vector stores. The vector stores stay. */
export function vectorStoreSweep({
  store,
  clock,
}: Pick<ServiceOptions, 'store' | 'clock'>): SweepStep {
  return () =>
    store.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('vector_stores')
        .select('id')
        .where('is_expired', '=', 0)
        .where('expires_at', '<=', clock.now())
        .limit(stepSize)
        .forUpdate()
        .execute();
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await transaction
        .updateTable('vector_stores')
        .set({
          is_expired: 1,
          usage_bytes: 0,
          files_in_progress: 0,
          files_completed: 0,
          files_failed: 0,
          files_cancelled: 0,
        })
        .where('id', 'in', ids)
        .execute();
      await transaction
        .insertInto('vector_store_deletions')
        .values(ids.map((id) => ({ id, kind: 'store' as const })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return rows.length;
    });
}
