import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { deleteInSteps } from '../../retention/sweep-step.ts';
import type { ServiceOptions } from '../../service-options.ts';
import type { Schema } from '../../store/schema.ts';

/** Rows that are deleted at a time: a chunk has kilobytes of text and an index of its words. */
const size = 200;

/** Deletes the contents of deleted vector stores and documents, in steps. */
export async function deleteContents(
  { store }: Pick<ServiceOptions, 'store'>,
  isStopped: () => boolean,
): Promise<void> {
  const { db } = store;
  while (!isStopped()) {
    const rows = await db.selectFrom('vector_store_deletions').selectAll().limit(size).execute();
    if (rows.length === 0) return;
    for (const { id, kind } of rows) {
      if (kind === 'store') {
        // The files first: without its file, no process adds chunks.
        const isInStore = sql`vector_store_id = ${id}`;
        await deleteInSteps(db, 'vector_store_files', ['document_id'], isInStore, { isStopped });
        await deleteInSteps(db, 'vector_store_batches', ['id'], isInStore, { isStopped });
        await deleteChunks(db, 'vector_store_id', id, isStopped);
      } else {
        await deleteChunks(db, 'document_id', id, isStopped);
      }
      if (isStopped()) return;
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
  isStopped: () => boolean,
): Promise<void> {
  const condition = sql`${sql.ref(column)} = ${id}`;
  return deleteInSteps(db, 'vector_store_chunks', ['id'], condition, { size, isStopped });
}
