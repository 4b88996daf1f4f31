import type { Kysely, Migration } from 'kysely';

/** Events of background responses that are streamed. */
export const responseEvents: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('chat_model_response_events')
      .addColumn('response_id', 'text', (column) => column.notNull())
      .addColumn('last_number', 'integer', (column) => column.notNull())
      .addColumn('json', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('chat_model_response_events_key', ['response_id', 'last_number'])
      .execute();
  },
};
