import { type Kysely, sql } from 'kysely';
import type { Schema, VectorStoreFilesTable, VectorStoresTable } from '../../store/schema.ts';

type FileStatus = VectorStoreFilesTable['status'];

/** Changes of the numbers of files by status, and of the bytes of a vector store. */
interface CountChanges extends Partial<Record<FileStatus, number>> {
  usageBytes?: number;
}

type CountColumns = Pick<
  VectorStoresTable,
  'files_in_progress' | 'files_completed' | 'files_failed' | 'files_cancelled'
>;

/** Changes the counts of a vector store or a batch. */
export async function addCounts(
  db: Kysely<Schema>,
  table: 'vector_stores' | 'vector_store_batches',
  id: string,
  changes: CountChanges,
): Promise<void> {
  const bytes = changes.usageBytes ?? 0;
  await sql`
    update ${sql.table(table)} set
      files_in_progress = files_in_progress + ${changes.in_progress ?? 0},
      files_completed = files_completed + ${changes.completed ?? 0},
      files_failed = files_failed + ${changes.failed ?? 0},
      files_cancelled = files_cancelled + ${changes.cancelled ?? 0}
      ${table === 'vector_stores' && bytes !== 0 ? sql`, usage_bytes = usage_bytes + ${bytes}` : sql``}
    where id = ${id}`.execute(db);
}

/** Converts counts to `file_counts` of the official API. */
export function toFileCounts(row: CountColumns) {
  const counts = {
    in_progress: Number(row.files_in_progress),
    completed: Number(row.files_completed),
    failed: Number(row.files_failed),
    cancelled: Number(row.files_cancelled),
  };
  const total = counts.in_progress + counts.completed + counts.failed + counts.cancelled;
  return { ...counts, total };
}

/**
 * Removes files from their vector stores: their rows and counts now, their contents in the
 * background.
 *
 * @param rows Rows that were read in this transaction, after their vector stores were locked.
 */
export async function removeFiles(
  db: Kysely<Schema>,
  rows: readonly Pick<
    VectorStoreFilesTable,
    'vector_store_id' | 'batch_id' | 'document_id' | 'status' | 'usage_bytes'
  >[],
): Promise<void> {
  if (rows.length === 0) return;
  const documents = rows.map(({ document_id: id }) => id);
  await db.deleteFrom('vector_store_files').where('document_id', 'in', documents).execute();
  await db
    .insertInto('vector_store_deletions')
    .values(documents.map((id) => ({ id, kind: 'document' as const })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (const row of rows) {
    const { vector_store_id: store, batch_id: batch, status } = row;
    const usageBytes = -Number(row.usage_bytes);
    await addCounts(db, 'vector_stores', store, { [status]: -1, usageBytes });
    // The batch of a file that was not indexed must not wait for it.
    if (batch !== null && status === 'in_progress') {
      await addCounts(db, 'vector_store_batches', batch, { in_progress: -1, cancelled: 1 });
    }
  }
}

/** Removes deleted files from all vector stores. */
export async function detachFiles(db: Kysely<Schema>, fileIds: readonly string[]): Promise<void> {
  const rowsOf = () =>
    db
      .selectFrom('vector_store_files')
      .select(['vector_store_id', 'batch_id', 'document_id', 'status', 'usage_bytes'])
      .where('file_id', 'in', fileIds)
      .orderBy('vector_store_id')
      .execute();
  const stores = [...new Set((await rowsOf()).map((row) => row.vector_store_id))];
  if (stores.length === 0) return;
  await db
    .selectFrom('vector_stores')
    .select('id')
    .where('id', 'in', stores)
    .orderBy('id')
    .forUpdate()
    .execute();
  // Read again: the status may have changed before the lock.
  await removeFiles(db, await rowsOf());
}
