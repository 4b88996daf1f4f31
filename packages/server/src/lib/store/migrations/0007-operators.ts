import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Operators of the console, their sessions, and the attempts to sign in. */
export const operators: Migration = {
  async up(db) {
    await sql`create table operators (
      id text not null primary key,
      name text not null unique,
      role text not null,
      password_hash text,
      link_hash text unique,
      link_expires_at bigint,
      created_at bigint not null,
      disabled_at bigint
    )`.execute(db);
    await sql`create table operator_sessions (
      hash text not null primary key,
      operator_id text not null,
      seen_at bigint not null,
      expires_at bigint not null
    )`.execute(db);
    await sql`create index operator_sessions_by_operator
      on operator_sessions (operator_id)`.execute(db);
    await sql`create index operator_sessions_by_end
      on operator_sessions (expires_at)`.execute(db);
    await sql`create table sign_in_attempts (
      key text not null primary key,
      count bigint not null,
      since bigint not null
    )`.execute(db);
  },
};
