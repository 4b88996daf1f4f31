import type { Kysely, Migration } from 'kysely';

/** Reservations for model calls in progress, in addition to what was spent. */
export const spendReservations: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['sessions', 'publishable_key_days']) {
      await db.schema
        .alterTable(table)
        .addColumn('reserved_microcents', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    }
    await db.schema
      .createTable('spend_reservations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('lease_id', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('publishable_key', 'text')
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('microcents', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
