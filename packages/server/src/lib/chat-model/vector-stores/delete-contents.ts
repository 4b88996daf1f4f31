import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ServiceOptions } from '../../service-options.ts';
import type { Schema } from '../../store/schema.ts';

/** Rows that are deleted at a time. */
const rowsPerStep = 200;

/** Deletes the contents of deleted vector stores and documents, in steps. */
export async function deleteContents(
  { store }: Pick<ServiceOptions, 'store'>,
  isClosed: () => boolean,
): Promise<void> {
  const deleteRows = async (table: keyof Schema, key: string, column: string, id: string) => {
    for (;;) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ${sql.ref(key)} in (
          select ${sql.ref(key)} from ${sql.table(table)}
          where ${sql.ref(column)} = ${id} limit ${rowsPerStep}
        )`.execute(store.db);
      if (Number(numAffectedRows ?? 0) < rowsPerStep || isClosed()) return;
      await nextTurn();
    }
  };
  while (!isClosed()) {
    const rows = await store.db
      .selectFrom('vector_store_deletions')
      .selectAll()
      .limit(rowsPerStep)
      .execute();
    if (rows.length === 0) return;
    for (const { id, kind } of rows) {
      if (kind === 'store') {
        // The files first: without its file, no process adds chunks.
        await deleteRows('vector_store_files', 'document_id', 'vector_store_id', id);
        await deleteRows('vector_store_batches', 'id', 'vector_store_id', id);
        await deleteRows('vector_store_chunks', 'id', 'vector_store_id', id);
      } else {
        await deleteRows('vector_store_chunks', 'id', 'document_id', id);
      }
      if (isClosed()) return;
      await store.db.deleteFrom('vector_store_deletions').where('id', '=', id).execute();
      await nextTurn();
    }
  }
}
