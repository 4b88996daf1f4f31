import { SqliteAdapter, sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The audit record, who has issued a token, and the pseudonyms of erased end users. */
export const auditAndErasures: Migration = {
  async up(db) {
    await sql`create table audit_events (
      id text not null primary key,
      at bigint not null,
      actor text not null,
      action text not null,
      subject text not null,
      before text,
      after text,
      request_id text,
      source text
    )`.execute(db);
    await sql`create index audit_events_by_time on audit_events (at, id)`.execute(db);
    for (const column of ['actor', 'action', 'subject']) {
      await sql`create index ${sql.ref(`audit_events_by_${column}`)}
        on audit_events (${sql.ref(column)}, at, id)`.execute(db);
    }
    await sql`alter table issuances add column issued_by text`.execute(db);
    await sql`create table erasures (
      id text not null primary key,
      agent_id text not null,
      hmac text not null,
      at bigint not null,
      block_kept integer not null,
      worker text
    )`.execute(db);
    await sql`create index erasures_by_user on erasures (agent_id, hmac)`.execute(db);
    await sql`create table erasure_key (
      id integer not null primary key,
      key text not null
    )`.execute(db);
    if (db.getExecutor().adapter instanceof SqliteAdapter) {
      // A deletion merged whole segments of the index in one statement, for up to a second.
      await sql`insert into session_terms (session_terms, rank) values ('deletemerge', 0)`.execute(
        db,
      );
    }
  },
};
