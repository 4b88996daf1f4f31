import type { CreateTableBuilder, Kysely, Migration } from 'kysely';

/**
 * The initial tables. Times and money are `bigint`, because PostgreSQL's `integer` ends at 2³¹ − 1.
 */
export const foundation: Migration = {
  async up(db: Kysely<unknown>) {
    await credentialTables(db);
    await sessionTables(db);
  },
};

async function credentialTables(db: Kysely<unknown>) {
  await db.schema
    .createTable('api_keys')
    .addColumn('hash', 'text', primary)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await db.schema
    .createTable('agents')
    .addColumn('id', 'text', primary)
    .addColumn('overrides', 'text', required)
    .addColumn('updated_at', 'bigint', required)
    .execute();
  await addOwnerColumns(db.schema.createTable('issuances').addColumn('id', 'text', primary))
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('revoked_at', 'bigint')
    .addColumn('allowed_origins', 'text', required)
    .addColumn('metadata', 'text', required)
    .execute();
  // For the list of issuances by agent and end user, newest first.
  await db.schema
    .createIndex('issuances_by_user')
    .on('issuances')
    .columns(['agent_id', 'external_user_id', 'created_at'])
    .execute();
  await db.schema
    .createIndex('issuances_by_time')
    .on('issuances')
    .columns(['created_at', 'id'])
    .execute();
  // For polling recent revocations while streams are open.
  await db.schema
    .createIndex('issuances_by_revocation')
    .on('issuances')
    .column('revoked_at')
    .execute();
  await db.schema
    .createTable('token_values')
    .addColumn('hash', 'text', primary)
    .addColumn('issuance_id', 'text', required)
    .addColumn('source', 'text', required)
    .execute();
  await db.schema
    .createTable('exchange_codes')
    .addColumn('hash', 'text', primary)
    .addColumn('issuance_id', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .execute();
  await db.schema
    .createTable('visitors')
    .addColumn('secret_hash', 'text', primary)
    .addColumn('agent_id', 'text', required)
    .addColumn('external_user_id', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await db.schema
    .createTable('end_user_blocks')
    .addColumn('agent_id', 'text', required)
    .addColumn('external_user_id', 'text', required)
    .addColumn('blocked', 'integer', required)
    .addColumn('updated_at', 'bigint', required)
    .addPrimaryKeyConstraint('end_user_blocks_key', ['agent_id', 'external_user_id'])
    .execute();
  await db.schema
    .createTable('publishable_key_days')
    .addColumn('publishable_key', 'text', required)
    .addColumn('day', 'text', required)
    .addColumn('sessions', 'integer', required)
    .addColumn('spent_microcents', 'bigint', required)
    .addPrimaryKeyConstraint('publishable_key_days_key', ['publishable_key', 'day'])
    .execute();
}

async function sessionTables(db: Kysely<unknown>) {
  await addOwnerColumns(db.schema.createTable('sessions').addColumn('id', 'text', primary))
    .addColumn('issuance_id', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('title', 'text')
    .addColumn('metadata', 'text', required)
    .addColumn('input_tokens', 'bigint', required)
    .addColumn('output_tokens', 'bigint', required)
    .addColumn('spent_microcents', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addColumn('archived_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('sessions_by_user')
    .on('sessions')
    .columns(['agent_id', 'external_user_id', 'created_at'])
    .execute();
  // For polling recently changed sessions while streams are open.
  await db.schema.createIndex('sessions_by_update').on('sessions').column('updated_at').execute();
  await db.schema
    .createTable('events')
    .addColumn('session_id', 'text', required)
    .addColumn('seq', 'bigint', required)
    .addColumn('id', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('json', 'text', required)
    .addColumn('processed_at', 'bigint', required)
    .addPrimaryKeyConstraint('events_key', ['session_id', 'seq'])
    .execute();
  await db.schema
    .createTable('runs')
    .addColumn('session_id', 'text', primary)
    .addColumn('id', 'text', required)
    .addColumn('owner', 'text', required)
    .addColumn('lease_until', 'bigint', required)
    .addColumn('started_at', 'bigint', required)
    .addColumn('attempt', 'integer', required)
    .execute();
  await db.schema
    .createTable('idempotency')
    .addColumn('scope', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('request_hash', 'text', required)
    .addColumn('response', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('idempotency_key', ['scope', 'key'])
    .execute();
  await db.schema
    .createTable('feedback')
    .addColumn('session_id', 'text', required)
    .addColumn('event_id', 'text', required)
    .addColumn('external_user_id', 'text', required)
    .addColumn('rating', 'text', required)
    .addColumn('comment', 'text')
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('feedback_key', ['session_id', 'event_id'])
    .execute();
  await db.schema
    .createTable('files')
    .addColumn('id', 'text', primary)
    .addColumn('agent_id', 'text', required)
    .addColumn('external_user_id', 'text', required)
    .addColumn('filename', 'text', required)
    .addColumn('mime_type', 'text', required)
    .addColumn('size_bytes', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .execute();
}

/** Adds the columns that issuances and sessions share: owner, and settings of the issuance. */
function addOwnerColumns<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
) {
  return table
    .addColumn('agent_id', 'text', required)
    .addColumn('agent_version', 'text', required)
    .addColumn('external_user_id', 'text', required)
    .addColumn('publishable_key', 'text')
    .addColumn('system_message', 'text')
    .addColumn('override_system', 'text')
    .addColumn('budget_cents', 'bigint');
}

type ColumnChange = NonNullable<Parameters<CreateTableBuilder<string, string>['addColumn']>[2]>;
const primary: ColumnChange = (column) => column.primaryKey().notNull();
const required: ColumnChange = (column) => column.notNull();
