import type { Kysely, Migration } from 'kysely';

/** Limits of single API keys, which override the limits of the configuration. */
export const keyLimits: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['requests_per_second', 'concurrent']) {
      await db.schema.alterTable('api_keys').addColumn(column, 'integer').execute();
    }
  },
};
