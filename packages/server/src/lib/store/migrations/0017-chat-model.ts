import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Stored objects of the chat-model family: conversations, files, responses and videos. Each belongs
 * to the owner of the API key that created it. An API key has the same owner as the key that it
 * replaces, in the new column `api_keys.owner`.
 */
export const chatModel: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('api_keys').addColumn('owner', 'text').execute();
    await db.schema
      .createTable('chat_model_conversations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('active_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('chat_model_conversations_by_activity')
      .on('chat_model_conversations')
      .column('active_at')
      .execute();
    await db.schema
      .createTable('chat_model_responses')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('previous_response_id', 'text')
      .addColumn('conversation_id', 'text')
      .addColumn('background', 'integer', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('json', 'text', (column) => column.notNull())
      .addColumn('request', 'text')
      .addColumn('lease_id', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('attempt', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('chat_model_responses_by_expiry')
      .on('chat_model_responses')
      .column('expires_at')
      .execute();
    // Contains only the background responses that have not ended.
    await sql`create index chat_model_responses_queue on chat_model_responses (created_at)
      where lease_until is not null`.execute(db);
    await db.schema
      .createTable('chat_model_items')
      .addColumn('parent_id', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('json', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('chat_model_items_pk', ['parent_id', 'seq'])
      .execute();
    await db.schema
      .createIndex('chat_model_items_by_id')
      .on('chat_model_items')
      .column('id')
      .execute();
    await db.schema
      .createTable('chat_model_files')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('filename', 'text', (column) => column.notNull())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('mime_type', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('is_complete', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('chat_model_files_by_owner')
      .on('chat_model_files')
      .columns(['owner', 'created_at', 'id'])
      .execute();
    await db.schema
      .createIndex('chat_model_files_by_expiry')
      .on('chat_model_files')
      .column('expires_at')
      .execute();
    await db.schema
      .createTable('chat_model_videos')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('upstream_id', 'text', (column) => column.notNull())
      .addColumn('json', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('chat_model_videos_by_owner')
      .on('chat_model_videos')
      .columns(['owner', 'created_at', 'id'])
      .execute();
    await db.schema
      .createIndex('chat_model_videos_by_expiry')
      .on('chat_model_videos')
      .column('expires_at')
      .execute();
  },
};
