import type { Kysely, Migration } from 'kysely';

/** Agents, versions, publishable keys and API keys that are created and ended at run time. */
export const runTimeAgents: Migration = {
  async up(db: Kysely<unknown>) {
    await agentTables(db);
    await keyTables(db);
  },
};

async function agentTables(db: Kysely<unknown>) {
  const agents = () => db.schema.alterTable('agents');
  await agents().addColumn('short_id', 'text').execute();
  await agents().addColumn('version', 'text').execute();
  await agents().addColumn('version_base', 'text').execute();
  await agents().addColumn('created_at', 'bigint').execute();
  await agents().addColumn('archived_at', 'bigint').execute();
  await agents()
    .addColumn('revision', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  // Only agents created at run time have a short id here. The unique index prevents two concurrent
  // creations with the same one.
  await db.schema
    .createIndex('agents_by_short_id')
    .on('agents')
    .column('short_id')
    .unique()
    .execute();
  await db.schema
    .createTable('agent_versions')
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_versions_key', ['agent_id', 'version'])
    .execute();
}

async function keyTables(db: Kysely<unknown>) {
  await db.schema
    .createTable('publishable_keys')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('settings', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .addColumn('ends_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('publishable_keys_by_agent')
    .on('publishable_keys')
    .column('agent_id')
    .execute();
  // For ending all tokens of a disabled key.
  await db.schema
    .createIndex('issuances_by_key')
    .on('issuances')
    .column('publishable_key')
    .execute();
  await db.schema.alterTable('api_keys').addColumn('name', 'text').execute();
  await db.schema.alterTable('api_keys').addColumn('ends_at', 'bigint').execute();
}
