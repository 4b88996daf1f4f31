import type { Kysely, Migration } from 'kysely';

/** Cost of each model of the catalogue by month. */
export const modelMonths: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('model_months')
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('month', 'text', (column) => column.notNull())
      .addColumn('spent_microcents', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('model_months_pk', ['model', 'month'])
      .execute();
  },
};
