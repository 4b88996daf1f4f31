import type { Kysely, Migration } from 'kysely';

/** Indexes for the list of issuance records of one end user, or of one agent, newest first. */
export const issuanceLists: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [name, column] of [
      ['issuances_by_external_user', 'external_user_id'],
      ['issuances_by_agent', 'agent_id'],
    ] as const) {
      await db.schema
        .createIndex(name)
        .on('issuances')
        .columns([column, 'created_at', 'id'])
        .execute();
    }
  },
};
