import { type LogEvent, textOf } from '@inlay/protocol';
import { type Kysely, type Migration, sql } from 'kysely';
import { fileIdsOf } from '../../events/file-ids.ts';
import { foldText, previewOf } from '../../events/search-text.ts';

/**
 * Columns and tables for sorting and searching sessions, and for the files that each session uses.
 */
export const threadsAndRights: Migration = {
  async up(db: Kysely<unknown>) {
    await addColumns(db);
    await addTables(db);
    await backfill(db);
  },
};

async function addColumns(db: Kysely<unknown>) {
  await db.schema.alterTable('sessions').addColumn('preview', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('terminated_reason', 'text').execute();
  await db.schema
    .alterTable('sessions')
    .addColumn('active_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('sessions_by_activity')
    .on('sessions')
    .columns(['agent_id', 'external_user_id', 'active_at', 'id'])
    .execute();
  await db.schema.alterTable('feedback').addColumn('reasons', 'text').execute();
  // Existing uploads are complete: older versions wrote a row after the content.
  await db.schema
    .alterTable('files')
    .addColumn('is_complete', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
}

async function addTables(db: Kysely<unknown>) {
  await db.schema
    .createTable('session_texts')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('session_texts_key', ['session_id', 'seq'])
    .execute();
  await db.schema
    .createTable('session_files')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('file_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('session_files_key', ['session_id', 'file_id'])
    .execute();
  await db.schema
    .createIndex('session_files_by_file')
    .on('session_files')
    .column('file_id')
    .execute();
  await db.schema
    .createTable('doomed_blobs')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .execute();
}

/** UTF-16 code units of a message that are indexed for the search. */
const searchLimit = 65_536;
/** Sessions per step, so that a large store need not fit into memory. */
const batchSize = 100;

async function backfill(db: Kysely<unknown>) {
  await sql`update sessions set active_at = updated_at`.execute(db);
  for (let after = ''; ; ) {
    const { rows: sessions } = await sql<{ id: string; title: string | null }>`
      select id, title from sessions where id > ${after} order by id limit ${batchSize}`.execute(
      db,
    );
    for (const session of sessions) await backfillSession(db, session);
    const last = sessions.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function backfillSession(db: Kysely<unknown>, session: { id: string; title: string | null }) {
  if (session.title !== null) await addText(db, session.id, 0, session.title);
  const { rows } = await sql<{ json: string }>`
    select json from events
    where session_id = ${session.id} and type in ('user.message', 'agent.message')
    order by seq`.execute(db);
  const events = rows.map(
    ({ json }) => JSON.parse(json) as LogEvent<'user.message' | 'agent.message'>,
  );
  for (const event of events) await addText(db, session.id, event.seq, textOf(event.content));
  for (const fileId of new Set(events.flatMap(fileIdsOf))) {
    await sql`insert into session_files (session_id, file_id) values (${session.id}, ${fileId})`.execute(
      db,
    );
  }
  const preview = previewOf(events);
  await sql`update sessions set preview = ${preview} where id = ${session.id}`.execute(db);
}

async function addText(db: Kysely<unknown>, sessionId: string, seq: number, text: string) {
  if (text.trim() === '') return;
  await sql`insert into session_texts (session_id, seq, text)
    values (${sessionId}, ${seq}, ${foldText(text, searchLimit)})`.execute(db);
}
