import { type Kysely, type Migration, sql } from 'kysely';

/** Indexes for the deletion of incomplete uploads, of a user's data, and of stored responses. */
export const cleanupIndexes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index files_incomplete on files (created_at) where is_complete = 0`.execute(
      db,
    );
    await db.schema
      .createIndex('visitors_by_user')
      .on('visitors')
      .columns(['agent_id', 'external_user_id'])
      .execute();
    await db.schema
      .createIndex('idempotency_by_time')
      .on('idempotency')
      .column('created_at')
      .execute();
  },
};
