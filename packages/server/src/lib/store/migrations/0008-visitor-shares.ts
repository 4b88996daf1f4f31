import type { Kysely, Migration } from 'kysely';

/** Daily usage of a publishable key by one visitor or one source address. */
export const visitorShares: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('publishable_key_shares')
      .addColumn('publishable_key', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('sessions', 'integer', (column) => column.notNull())
      .addColumn('spent_microcents', 'bigint', (column) => column.notNull())
      .addColumn('reserved_microcents', 'bigint', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('publishable_key_shares_key', ['publishable_key', 'day', 'subject'])
      .execute();
    for (const column of ['visitor', 'source']) {
      await db.schema.alterTable('spend_reservations').addColumn(column, 'text').execute();
    }
    await db.schema.alterTable('sessions').addColumn('source', 'text').execute();
    await db.schema.alterTable('sessions').addColumn('begun_at', 'bigint').execute();
    // Existing sessions were counted at their creation, and must not be counted again.
    await db
      .withTables<{ sessions: { begun_at: number; created_at: number } }>()
      .updateTable('sessions')
      .set((eb) => ({ begun_at: eb.ref('created_at') }))
      .execute();
  },
};
