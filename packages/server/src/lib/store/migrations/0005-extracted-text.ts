import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The texts of PDF files, which are read once and deleted with the file. */
export const extractedText: Migration = {
  async up(db) {
    await sql`alter table files add column extracted_text text`.execute(db);
  },
};
