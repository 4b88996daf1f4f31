import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The metadata of the token that created a session, for its tools. */
export const tokenMetadata: Migration = {
  async up(db) {
    await sql`alter table sessions add column token_metadata text not null default '{}'`.execute(
      db,
    );
  },
};
