import type { Kysely, Migration } from 'kysely';

/** What the dearest model call of a publishable key's day cost. */
export const dearestCall: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('publishable_key_days')
      .addColumn('dearest_microcents', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
