import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The accounts of operators at an OpenID Connect provider. */
export const operatorSubjects: Migration = {
  async up(db) {
    await sql`alter table operators add column subject text`.execute(db);
  },
};
