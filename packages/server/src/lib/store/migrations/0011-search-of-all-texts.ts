import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Marks the texts whose index has the terms for a search of all users' texts. The sweep adds them to
 * those that processes of the previous version have stored and store.
 */
export const searchOfAllTexts: Migration = {
  async up(db) {
    await sql`alter table session_texts
      add column has_words integer not null default 0`.execute(db);
  },
  indexes: {
    session_texts_without_words: 'session_texts (session_id, seq) where has_words = 0',
  },
};
