import type { Kysely, Migration } from 'kysely';

/**
 * Contents of uploads for deployments with several processes. The embedded store keeps them in
 * files.
 */
export const blobPieces: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('blob_pieces')
      .addColumn('file_id', 'text', (column) => column.notNull())
      .addColumn('piece', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'bytea', (column) => column.notNull())
      .addPrimaryKeyConstraint('blob_pieces_key', ['file_id', 'piece'])
      .execute();
  },
};
