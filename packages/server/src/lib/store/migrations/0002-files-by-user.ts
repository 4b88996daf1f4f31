import type { Kysely, Migration } from 'kysely';

/** Index for adding up the uploads of an end user on one day. */
export const filesByUser: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('files_by_user')
      .on('files')
      .columns(['agent_id', 'external_user_id', 'created_at'])
      .execute();
  },
};
