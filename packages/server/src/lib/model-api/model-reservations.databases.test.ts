import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { openTestStore } from '../testing/test-store.ts';
import { addCost, releaseReservation, reserve } from './model-reservations.ts';

const budgetMicrocents = 100;

it('8.3.5: in any order of requests, all fit into the budget, or one request is in progress', async () => {
  const store = await openTestStore(createLogger(createFakeClock().now, () => {}));
  const step = fc.oneof(
    fc.record({ maximum: fc.integer({ min: 1, max: 150 }) }),
    fc.record({ unlimited: fc.constant(true) }),
    fc.record({ end: fc.nat(), share: fc.float({ min: 0, max: 1, noNaN: true }) }),
  );
  let runs = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      runs += 1;
      const month = { model: `m${runs}`, month: '2026-01' };
      const inProgress = new Map<string, number>();
      const stateOf = async () => {
        const row = await store.db
          .selectFrom('model_months')
          .selectAll()
          .where('model', '=', month.model)
          .executeTakeFirst();
        return [Number(row?.spent_microcents ?? 0), Number(row?.reserved_microcents ?? 0)] as const;
      };
      for (const [index, each] of steps.entries()) {
        const [before] = await stateOf();
        if ('end' in each) {
          const [id, maximum] = [...inProgress][each.end % Math.max(1, inProgress.size)] ?? [];
          if (id === undefined || maximum === undefined) continue;
          inProgress.delete(id);
          await store.transaction(async (transaction) => {
            await releaseReservation(transaction, id);
            await addCost(transaction, month, Math.floor(maximum * each.share));
          });
        } else {
          const id = `${month.model} ${index}`;
          const microcents = 'maximum' in each ? each.maximum : 0;
          const request = { ...month, id, worker: 'proc', budgetMicrocents, microcents };
          const isMaximum = 'maximum' in each;
          const isReserved = await store.transaction((transaction) =>
            reserve(transaction, { ...request, isMaximum }),
          );
          if (inProgress.size === 0) expect(isReserved).toBe(before < budgetMicrocents);
          if (isReserved) {
            const [row] = await store.db
              .selectFrom('model_reservations')
              .select('microcents')
              .where('id', '=', id)
              .execute();
            inProgress.set(id, Math.max(microcents, Number(row?.microcents)));
          }
        }
        const [spent, reserved] = await stateOf();
        expect(reserved > 0).toBe(inProgress.size > 0);
        if (inProgress.size > 1) expect(spent + reserved).toBeLessThanOrEqual(budgetMicrocents);
      }
    }),
    { numRuns: 40 },
  );
});
