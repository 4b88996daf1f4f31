import type { Selectable } from 'kysely';
import { ApiError } from '../../problems/api-error.ts';
import { newIdAt } from '../../random.ts';
import type { ServiceOptions } from '../../service-options.ts';
import type { VectorStoreBatchesTable } from '../../store/schema.ts';
import { addCounts, toFileCounts } from './file-counts.ts';
import type { VectorStoreFiles } from './vector-store-files.ts';
import type { AddFile, VectorStoreFileList } from './vector-store-requests.ts';
import { lockStore, seconds } from './vector-store-rows.ts';

type BatchRow = Selectable<VectorStoreBatchesTable>;

/** Batches of files that were added to a vector store in one request. */
export class FileBatches {
  readonly #services: Pick<ServiceOptions, 'store' | 'clock' | 'random'>;
  readonly #files: VectorStoreFiles;

  constructor(
    services: Pick<ServiceOptions, 'store' | 'clock' | 'random'>,
    files: VectorStoreFiles,
  ) {
    this.#services = services;
    this.#files = files;
  }

  async create(owner: string, storeId: string, files: readonly AddFile[]): Promise<object> {
    const { store, clock, random } = this.#services;
    await this.#files.requireFiles(
      owner,
      files.map((file) => file.file_id),
    );
    const now = clock.now();
    const row: BatchRow = {
      id: newIdAt(random, now, 'vsfb_'),
      vector_store_id: storeId,
      is_cancelled: 0,
      files_in_progress: files.length,
      files_completed: 0,
      files_failed: 0,
      files_cancelled: 0,
      created_at: now,
    };
    await store.transaction(async (transaction) => {
      await this.#files.attach(transaction, storeId, files, row.id);
      await transaction.insertInto('vector_store_batches').values(row).execute();
    });
    return toBatch(row);
  }

  async read(storeId: string, id: string) {
    return toBatch(await this.#find(storeId, id));
  }

  /**
   * Cancels the files of a batch that are not indexed yet. If another process is indexing one, that
   * process stops at its next chunk.
   */
  async cancel(storeId: string, id: string): Promise<object> {
    const { store } = this.#services;
    await this.#find(storeId, id);
    await store.transaction(async (transaction) => {
      await lockStore(transaction, storeId);
      const stopped = await transaction
        .updateTable('vector_store_files')
        .set({ status: 'cancelled', worker: null, lease_id: null, run_after: null })
        .where('vector_store_id', '=', storeId)
        .where('batch_id', '=', id)
        .where('status', '=', 'in_progress')
        .returning('document_id')
        .execute();
      if (stopped.length === 0) return;
      const changes = { in_progress: -stopped.length, cancelled: stopped.length };
      await addCounts(transaction, 'vector_stores', storeId, changes);
      await addCounts(transaction, 'vector_store_batches', id, changes);
      await transaction
        .updateTable('vector_store_batches')
        .set({ is_cancelled: 1 })
        .where('id', '=', id)
        .execute();
      await transaction
        .insertInto('vector_store_deletions')
        .values(stopped.map((row) => ({ id: row.document_id, kind: 'document' as const })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
    return this.read(storeId, id);
  }

  async listFiles(storeId: string, id: string, query: VectorStoreFileList) {
    await this.#find(storeId, id);
    return this.#files.list(storeId, query, id);
  }

  async #find(storeId: string, id: string): Promise<BatchRow> {
    const row = await this.#services.store.db
      .selectFrom('vector_store_batches')
      .selectAll()
      .where('id', '=', id)
      .where('vector_store_id', '=', storeId)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('vector_stores').select('id').where('id', '=', storeId)),
      )
      .executeTakeFirst();
    if (row) return row;
    throw new ApiError(
      'NOT_FOUND',
      `There is no file batch \`${id.slice(0, 100)}\` in this vector store.`,
      { familyCode: 'file_batch_not_found', param: 'batch_id' },
    );
  }
}

function toBatch(row: BatchRow) {
  const counts = toFileCounts(row);
  const ended = counts.failed > 0 && counts.failed === counts.total ? 'failed' : 'completed';
  const status = counts.in_progress > 0 ? 'in_progress' : ended;
  return {
    id: row.id,
    object: 'vector_store.files_batch',
    created_at: seconds(row.created_at),
    vector_store_id: row.vector_store_id,
    status: row.is_cancelled === 1 ? 'cancelled' : status,
    file_counts: counts,
  };
}
