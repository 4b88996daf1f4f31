import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Daily counters of uploaded bytes, empty sessions and spending, which the deletion of files,
 * sessions and users does not change; the visitor of each file; and solved challenges.
 */
export const dailyCounters: Migration = {
  async up(db: Kysely<unknown>) {
    const addCounter = (table: string, name: string) =>
      db.schema
        .alterTable(table)
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    for (const table of ['publishable_key_days', 'publishable_key_shares', 'end_user_days']) {
      await addCounter(table, 'file_bytes');
    }
    for (const name of ['empty_sessions', 'spent_microcents', 'reserved_microcents']) {
      await addCounter('end_user_days', name);
    }
    for (const column of ['agent_id', 'external_user_id']) {
      await db.schema.alterTable('spend_reservations').addColumn(column, 'text').execute();
    }
    for (const column of ['publishable_key', 'source']) {
      await db.schema.alterTable('files').addColumn(column, 'text').execute();
    }
    await db.schema.alterTable('visitors').addColumn('challenge_passed_at', 'bigint').execute();
    await sql`create index files_by_key on files (publishable_key, created_at) where publishable_key is not null`.execute(
      db,
    );
    // Without these, the uploads and empty sessions of this day would be allowed a second time.
    const today = new Date().toISOString().slice(0, 10);
    const since = Date.parse(today);
    await sql`insert into end_user_days (agent_id, external_user_id, day, message_bytes)
      select agent_id, external_user_id, ${today}, 0 from files where created_at >= ${since}
      union select agent_id, external_user_id, ${today}, 0 from sessions
        where begun_at is null and created_at >= ${since}
      on conflict do nothing`.execute(db);
    await sql`update end_user_days set
      file_bytes = (select coalesce(sum(size_bytes), 0) from files
        where files.agent_id = end_user_days.agent_id
          and files.external_user_id = end_user_days.external_user_id and created_at >= ${since}),
      empty_sessions = (select count(*) from sessions
        where sessions.agent_id = end_user_days.agent_id
          and sessions.external_user_id = end_user_days.external_user_id
          and begun_at is null and created_at >= ${since})
      where day = ${today}`.execute(db);
  },
};
