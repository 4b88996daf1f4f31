import { type Kysely, type Migration, SqliteAdapter, sql } from 'kysely';

/**
 * Vector stores of the chat-model family with their files, batches of files, and the chunks of their
 * texts. The chunks have a full-text index: FTS5 on SQLite, a `tsvector` on PostgreSQL. Deleted
 * contents are listed in `vector_store_deletions` until they are deleted in steps.
 */
export const vectorStores: Migration = {
  async up(db: Kysely<unknown>) {
    await createStores(db);
    await createFiles(db);
    if (db.getExecutor().adapter instanceof SqliteAdapter) await createChunksOnSqlite(db);
    else await createChunksOnPostgres(db);
    await sql`create index vector_store_chunks_by_store on vector_store_chunks
      (vector_store_id, id)`.execute(db);
    await sql`create unique index vector_store_chunks_by_document on vector_store_chunks
      (document_id, part)`.execute(db);
  },
};

async function createStores(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table vector_stores (
      id text primary key,
      name text not null,
      description text,
      metadata text not null,
      expires_days integer,
      expires_at bigint,
      is_expired integer not null,
      usage_bytes bigint not null,
      files_in_progress integer not null,
      files_completed integer not null,
      files_failed integer not null,
      files_cancelled integer not null,
      created_at bigint not null,
      last_active_at bigint not null
    )`.execute(db);
  await sql`create index vector_stores_by_time on vector_stores (created_at, id)`.execute(db);
  await sql`create index vector_stores_by_expiry on vector_stores (expires_at)
    where is_expired = 0`.execute(db);
  await sql`
    create table vector_store_deletions (
      id text primary key,
      kind text not null
    )`.execute(db);
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table vector_store_files (
      vector_store_id text not null,
      file_id text not null,
      document_id text not null,
      batch_id text,
      status text not null,
      last_error text,
      attributes text not null,
      chunk_tokens integer not null,
      overlap_tokens integer not null,
      usage_bytes bigint not null,
      lease_id text,
      lease_until bigint,
      attempt integer not null,
      created_at bigint not null,
      primary key (vector_store_id, file_id)
    )`.execute(db);
  await sql`create index vector_store_files_by_time on vector_store_files
    (vector_store_id, created_at, file_id)`.execute(db);
  await sql`create index vector_store_files_by_batch on vector_store_files
    (batch_id, created_at, file_id)`.execute(db);
  await sql`create index vector_store_files_by_file on vector_store_files (file_id)`.execute(db);
  await sql`create unique index vector_store_files_by_document on vector_store_files
    (document_id)`.execute(db);
  // Contains only the files that are still to be indexed.
  await sql`create index vector_store_files_queue on vector_store_files (created_at)
    where lease_until is not null`.execute(db);
  await sql`
    create table vector_store_batches (
      id text primary key,
      vector_store_id text not null,
      is_cancelled integer not null,
      files_in_progress integer not null,
      files_completed integer not null,
      files_failed integer not null,
      files_cancelled integer not null,
      created_at bigint not null
    )`.execute(db);
  await sql`create index vector_store_batches_by_store on vector_store_batches
    (vector_store_id)`.execute(db);
}

async function createChunksOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table vector_store_chunks (
      id integer primary key autoincrement,
      vector_store_id text not null,
      document_id text not null,
      part integer not null,
      overlap integer not null,
      text text not null,
      vector blob,
      vector_model text
    )`.execute(db);
  // Without content: the terms are derived from the text of the chunk.
  await sql`
    create virtual table vector_store_terms using fts5
      (terms, content = '', contentless_delete = 1, tokenize = 'ascii')`.execute(db);
  await sql`
    create trigger vector_store_chunks_deleted after delete on vector_store_chunks begin
      delete from vector_store_terms where rowid = old.id;
    end`.execute(db);
}

async function createChunksOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table vector_store_chunks (
      id bigint generated always as identity primary key,
      vector_store_id text not null,
      document_id text not null,
      part integer not null,
      overlap integer not null,
      text text not null,
      vector bytea,
      vector_model text,
      terms tsvector
    )`.execute(db);
  await sql`create index vector_store_chunks_terms on vector_store_chunks
    using gin (terms)`.execute(db);
}
