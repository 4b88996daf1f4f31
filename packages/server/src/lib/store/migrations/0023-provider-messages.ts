import type { Kysely, Migration } from 'kysely';

/** Assistant messages in the format of their provider, which its next request must contain. */
export const providerMessages: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('provider_messages')
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('call_ids', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('provider_messages_key', ['session_id', 'request_id'])
      .execute();
  },
};
