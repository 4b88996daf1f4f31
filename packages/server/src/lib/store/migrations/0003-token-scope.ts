import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Columns for what an embed token may do: its features, and its only session. */
export const tokenScope: Migration = {
  async up(db) {
    await sql`alter table issuances add column features text not null default '{}'`.execute(db);
    await sql`alter table issuances add column session_id text`.execute(db);
  },
};
