import type { Kysely, Migration } from 'kysely';

/** Cost of the most expensive model call of a publishable key's day. */
export const dearestCall: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('publishable_key_days')
      .addColumn('dearest_microcents', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
