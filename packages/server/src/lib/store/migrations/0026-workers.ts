import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Processes as the owners of runs, background responses and files to index, instead of a lease for
 * each of them, and the number of active runs of each user and publishable key.
 */
export const workers: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('workers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('heartbeat_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('run_counts')
      .addColumn('scope', 'text', (column) => column.primaryKey())
      .addColumn('active', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .alterTable('runs')
      .addColumn('user_scope', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    for (const column of ['key_scope', 'network_scope']) {
      await db.schema.alterTable('runs').addColumn(column, 'text').execute();
    }
    await sql`
      update runs set
        user_scope = 'user:' || sessions.agent_id || ':' || sessions.external_user_id,
        key_scope = 'key:' || sessions.publishable_key
      from sessions where sessions.id = runs.session_id`.execute(db);
    for (const column of ['owner', 'lease_until']) {
      await db.schema.alterTable('runs').dropColumn(column).execute();
    }
    for (const table of ['chat_model_responses', 'vector_store_files']) {
      await sql`update ${sql.table(table)} set lease_until = 0 where lease_until is not null`.execute(
        db,
      );
      await db.schema.alterTable(table).renameColumn('lease_until', 'run_after').execute();
    }
    for (const table of ['runs', 'chat_model_responses', 'vector_store_files']) {
      await db.schema.alterTable(table).addColumn('worker', 'text').execute();
      await sql`create index ${sql.id(`${table}_by_worker`)} on ${sql.table(table)} (worker)
        where worker is not null`.execute(db);
    }
    await db.schema.createIndex('runs_by_user').on('runs').column('user_scope').execute();
    await sql`create index runs_queue on runs (started_at) where worker is null`.execute(db);
    for (const table of ['chat_model_responses', 'vector_store_files']) {
      await db.schema.dropIndex(`${table}_queue`).execute();
      await sql`create index ${sql.id(`${table}_queue`)} on ${sql.table(table)} (created_at)
        where worker is null and run_after is not null`.execute(db);
    }
  },
};
