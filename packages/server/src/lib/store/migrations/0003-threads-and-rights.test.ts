import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrate } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { openSqlite } from '../sqlite.ts';
import { foundation } from './0001-foundation.ts';
import { filesByUser } from './0002-files-by-user.ts';

/** Creates a database with the schema before the migration. */
async function createOldDatabase() {
  const database = openSqlite(':memory:', { synchronous: 'normal' });
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  const older = { '0001-foundation': foundation, '0002-files-by-user': filesByUser };
  const migrator = new Migrator({ db, provider: { getMigrations: async () => older } });
  const { error } = await migrator.migrateToLatest();
  expect(error).toBeUndefined();
  return db;
}

const session = (id: string, title: string | null) =>
  ({
    id,
    agent_id: 'agt_1',
    agent_version: '1',
    external_user_id: 'ada',
    issuance_id: 'emb_1',
    status: 'idle',
    title,
    metadata: '{}',
    input_tokens: 0,
    output_tokens: 0,
    spent_microcents: 0,
    created_at: 1,
    updated_at: 7,
  }) as never;

const event = (session_id: string, seq: number, type: string, content: object[]) => ({
  session_id,
  seq,
  id: `${session_id}_${seq}`,
  type,
  json: JSON.stringify({ type, id: `${session_id}_${seq}`, seq, content }),
  processed_at: 1,
});

describe('the migration 0003-threads-and-rights', () => {
  it('fills the new tables and columns from the existing data of 250 sessions', async () => {
    const db = await createOldDatabase();
    const ids = Array.from({ length: 250 }, (_, n) => `ses_${String(n).padStart(3, '0')}`);
    for (const id of ids) {
      await db
        .insertInto('sessions')
        .values(session(id, id === 'ses_007' ? 'Ferry' : null))
        .execute();
    }
    const image = { type: 'image', source: { type: 'file', file_id: 'file_1' } };
    await db
      .insertInto('events')
      .values([
        event('ses_007', 1, 'user.message', [image, { type: 'text', text: 'Where\nis IT?' }]),
        event('ses_007', 2, 'agent.message', [{ type: 'text', text: 'Here.' }]),
        event('ses_007', 3, 'user.message', [image]),
        event('ses_249', 1, 'user.message', [{ type: 'text', text: 'Last' }]),
      ])
      .execute();
    const feedback = { rating: 'up', comment: null, created_at: 1 };
    await db
      .insertInto('feedback')
      .values({
        session_id: 'ses_007',
        event_id: 'x',
        external_user_id: 'ada',
        ...feedback,
      } as never)
      .execute();

    await migrate(db);
    await migrate(db);

    expect(
      await db
        .selectFrom('session_texts')
        .selectAll()
        .orderBy('seq')
        .orderBy('session_id')
        .execute(),
    ).toEqual([
      { session_id: 'ses_007', seq: 0, text: 'ferry' },
      { session_id: 'ses_007', seq: 1, text: 'where\nis it?' },
      { session_id: 'ses_249', seq: 1, text: 'last' },
      { session_id: 'ses_007', seq: 2, text: 'here.' },
    ]);
    expect(await db.selectFrom('session_files').selectAll().execute()).toEqual([
      { session_id: 'ses_007', file_id: 'file_1' },
    ]);
    const rows = await db.selectFrom('sessions').select(['id', 'preview', 'active_at']).execute();
    expect(rows.filter(({ preview }) => preview !== null)).toEqual([
      { id: 'ses_007', preview: 'Where is IT?', active_at: 7 },
      { id: 'ses_249', preview: 'Last', active_at: 7 },
    ]);
    expect(rows.every(({ active_at }) => active_at === 7)).toBe(true);
    expect(await db.selectFrom('feedback').select('reasons').execute()).toEqual([
      { reasons: null },
    ]);
    await db.destroy();
  });
});
