import type { Kysely, Migration } from 'kysely';

/** For summing up an end user's uploads of the day at each upload. */
export const filesByUser: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('files_by_user')
      .on('files')
      .columns(['agent_id', 'external_user_id', 'created_at'])
      .execute();
  },
};
