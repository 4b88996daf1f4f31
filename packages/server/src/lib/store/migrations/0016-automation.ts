import type { Kysely, Migration } from 'kysely';

/** Actions, scripts and workflows, with their revisions, labels and references. */
export const automation: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('automations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('namespace', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('labels', 'text', (column) => column.notNull())
      .addColumn('draft', 'text')
      .addColumn('draft_digest', 'text')
      .addColumn('dist_tags', 'text', (column) => column.notNull())
      .addColumn('latest_id', 'text')
      .addColumn('archived_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('automations_name', ['scope', 'namespace', 'name'])
      .execute();
    await db.schema
      .createIndex('automations_by_kind')
      .on('automations')
      .columns(['kind', 'created_at', 'id'])
      .execute();
    await db.schema
      .createTable('automation_revisions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('automation_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('version', 'text')
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('message', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('automation_revisions_number', ['automation_id', 'number'])
      .addUniqueConstraint('automation_revisions_version', ['automation_id', 'version'])
      .execute();
    await db.schema
      .createTable('automation_labels')
      .addColumn('automation_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('automation_labels_pk', ['automation_id', 'key'])
      .execute();
    await db.schema
      .createTable('automation_references')
      .addColumn('automation_id', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('automation_references_pk', ['automation_id', 'part', 'action'])
      .execute();
    await db.schema
      .createIndex('automation_references_by_action')
      .on('automation_references')
      .column('action')
      .execute();
  },
};
