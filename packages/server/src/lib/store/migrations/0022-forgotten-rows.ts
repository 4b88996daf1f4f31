import { type Kysely, type Migration, sql } from 'kysely';

/** Indexes for the rows of forgotten users, which no user owns until they are deleted. */
export const forgottenRows: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['sessions', 'files']) {
      await sql`create index ${sql.ref(`${table}_forgotten`)} on ${sql.table(table)} (external_user_id, id)
        where external_user_id = ''`.execute(db);
    }
  },
};
