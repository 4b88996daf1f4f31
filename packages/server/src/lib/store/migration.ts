import type { Migration as KyselyMigration } from 'kysely';

/**
 * A change of the schema. It only adds what the previous version ignores, because processes of both
 * versions use the database during an upgrade. What is no longer used is removed one version later.
 */
export interface Migration {
  /**
   * Adds tables and columns, or removes those that the previous version no longer uses. It runs in a
   * transaction and must be short: on PostgreSQL, writes of the other processes wait for its end.
   */
  readonly up?: KyselyMigration['up'];
  /**
   * Indexes of existing tables, which are created after `up`: the table and the columns by the name of
   * the index, as in `{ files_by_name: 'files (filename)' }`.
   */
  readonly indexes?: Readonly<Record<string, string>>;
}
