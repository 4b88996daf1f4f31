import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The consent texts that agents have shown, and the end users who have agreed to them. */
export const consents: Migration = {
  async up(db) {
    await sql`create table consent_texts (
      agent_id text not null,
      text_sha256 text not null,
      text text not null,
      shown_at bigint not null,
      primary key (agent_id, text_sha256)
    )`.execute(db);
    await sql`create table consents (
      id text not null primary key,
      agent_id text not null,
      external_user_id text not null,
      text_sha256 text not null,
      language text not null,
      given_at bigint not null
    )`.execute(db);
    await sql`create unique index consents_by_user
      on consents (agent_id, external_user_id, text_sha256)`.execute(db);
    await sql`create index consents_by_time on consents (given_at, id)`.execute(db);
  },
};
