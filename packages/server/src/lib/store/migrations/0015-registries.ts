import type { Kysely, Migration } from 'kysely';

/** Databases and media libraries, their event logs, and the assets of libraries. */
export const registries: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('registries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('deletes_at', 'bigint')
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('registries_by_kind')
      .on('registries')
      .columns(['kind', 'created_at', 'id'])
      .execute();
    await db.schema
      .createTable('change_logs')
      .addColumn('log_id', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('json', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('change_logs_pk', ['log_id', 'seq'])
      .execute();
    await db.schema
      .createTable('media_assets')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('library_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('media_type', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('media_assets_by_library')
      .on('media_assets')
      .columns(['library_id', 'created_at', 'id'])
      .execute();
  },
};
