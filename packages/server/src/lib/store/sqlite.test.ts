import { expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './sqlite-store.ts';

it.each([true, undefined, {}, Number.NaN, Number.POSITIVE_INFINITY])(
  'a transaction with the invalid value %s is rolled back',
  async (value) => {
    const store = await createSqliteStore({ data: 'memory' });
    onTestFinished(() => store.close());
    const day = (key: string, sessions: unknown) => ({
      publishable_key: key,
      day: '2026-01-15',
      sessions: sessions as number,
      spent_microcents: 0,
    });

    await expect(
      store.transaction(async (transaction) => {
        await transaction.insertInto('publishable_key_days').values(day('pk_a', 1)).execute();
        await transaction
          .updateTable('publishable_key_days')
          .set((eb) => ({ sessions: eb.val(value as number) }))
          .execute();
      }),
    ).rejects.toThrow(TypeError);

    expect(await store.db.selectFrom('publishable_key_days').selectAll().execute()).toEqual([]);
  },
);
