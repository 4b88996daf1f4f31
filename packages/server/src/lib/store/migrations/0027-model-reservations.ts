import type { Kysely, Migration } from 'kysely';

/** Costs that requests in progress have reserved in the monthly budgets of models. */
export const modelReservations: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['reserved_microcents', 'dearest_microcents']) {
      await db.schema
        .alterTable('model_months')
        .addColumn(column, 'bigint', (definition) => definition.notNull().defaultTo(0))
        .execute();
    }
    await db.schema
      .createTable('model_reservations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('month', 'text', (column) => column.notNull())
      .addColumn('microcents', 'bigint', (column) => column.notNull())
      .addColumn('worker', 'text')
      .addColumn('video', 'text')
      .execute();
    for (const column of ['worker', 'video']) {
      await db.schema
        .createIndex(`model_reservations_by_${column}`)
        .on('model_reservations')
        .column(column)
        .execute();
    }
  },
};
