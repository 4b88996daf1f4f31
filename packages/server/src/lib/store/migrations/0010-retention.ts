import type { Kysely, Migration } from 'kysely';

/** Indexes for the retention sweep, which deletes old rows. */
export const retention: Migration = {
  async up(db: Kysely<unknown>) {
    const indexes = [
      ['issuances_by_expiry', 'issuances', 'expires_at'],
      ['token_values_by_issuance', 'token_values', 'issuance_id'],
      ['sessions_by_last_activity', 'sessions', 'active_at'],
      ['visitors_by_time', 'visitors', 'created_at'],
    ] as const;
    for (const [name, table, column] of indexes) {
      await db.schema.createIndex(name).ifNotExists().on(table).column(column).execute();
    }
  },
};
