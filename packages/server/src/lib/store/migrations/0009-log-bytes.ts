import { type Kysely, type Migration, sql } from 'kysely';

/** Size of each log, and daily message bytes of each end user. */
export const logBytes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('sessions')
      .addColumn('log_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update sessions set log_bytes = (
      select coalesce(sum(octet_length(json)), 0) from events where session_id = sessions.id
    )`.execute(db);
    await db.schema
      .createTable('end_user_days')
      .addColumn('agent_id', 'text', (column) => column.notNull())
      .addColumn('external_user_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('message_bytes', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('end_user_days_key', ['agent_id', 'external_user_id', 'day'])
      .execute();
  },
};
