import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Columns for the list of sessions: last message, its time, pending action. The next event of a session sets them. */
export const listDetails: Migration = {
  async up(db) {
    await sql`alter table sessions add column last_message text`.execute(db);
    await sql`alter table sessions add column requires_action integer not null default 0`.execute(
      db,
    );
  },
};
