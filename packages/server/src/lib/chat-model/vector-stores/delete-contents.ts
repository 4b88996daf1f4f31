import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { ServiceOptions } from '../../service-options.ts';
import type { Schema } from '../../store/schema.ts';

/** Rows that are deleted at a time. */
const rowsPerStep = 200;

/** Deletes the contents of deleted vector stores and documents, in steps. */
export async function deleteContents(
  { store }: Pick<ServiceOptions, 'store'>,
  isClosed: () => boolean,
): Promise<void> {
  const { db } = store;
  while (!isClosed()) {
    const rows = await db
      .selectFrom('vector_store_deletions')
      .selectAll()
      .limit(rowsPerStep)
      .execute();
    if (rows.length === 0) return;
    for (const { id, kind } of rows) {
      if (kind === 'store') {
        // The files first: without its file, no process adds chunks.
        const column = 'vector_store_id';
        const files = { table: 'vector_store_files', key: 'document_id', column, id } as const;
        await deleteRows(db, files, isClosed);
        const batches = { table: 'vector_store_batches', key: 'id', column, id } as const;
        await deleteRows(db, batches, isClosed);
        await deleteChunks(db, 'vector_store_id', id, isClosed);
      } else {
        await deleteChunks(db, 'document_id', id, isClosed);
      }
      if (isClosed()) return;
      await db.deleteFrom('vector_store_deletions').where('id', '=', id).execute();
      await nextTurn();
    }
  }
}

/** Deletes the chunks of a vector store or a document, in steps. */
export function deleteChunks(
  db: Kysely<Schema>,
  column: 'vector_store_id' | 'document_id',
  id: string,
  isClosed: () => boolean,
): Promise<void> {
  return deleteRows(db, { table: 'vector_store_chunks', key: 'id', column, id }, isClosed);
}

async function deleteRows(
  db: Kysely<Schema>,
  { table, key, column, id }: { table: keyof Schema; key: string; column: string; id: string },
  isClosed: () => boolean,
): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} in (
        select ${sql.ref(key)} from ${sql.table(table)}
        where ${sql.ref(column)} = ${id} limit ${rowsPerStep}
      )`.execute(db);
    if (Number(numAffectedRows ?? 0) < rowsPerStep || isClosed()) return;
    await nextTurn();
  }
}
