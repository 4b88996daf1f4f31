import { BudgetReservedError } from '../../model-api/model-limits.ts';
import { ApiError } from '../../problems/api-error.ts';
import { LeaseLostError } from '../../runs/run-queue.ts';
import type { ServiceOptions } from '../../service-options.ts';
import type { Family } from '../../upstreams/families.ts';
import { type Job, JobPostponedError } from '../../workers/job-queue.ts';
import type { ChatModelFiles } from '../chat-model-files.ts';
import { DocumentError } from './document-error.ts';
import type { EmbeddingServices } from './embeddings.ts';
import { addCounts } from './file-counts.ts';
import { indexFile } from './index-file.ts';

/** Maximum number of attempts at a file, whether the platform or the provider of vectors fails. */
const maximumAttempts = 3;

/** The end of the work on a file. */
type Outcome =
  | { status: 'completed'; usageBytes: number }
  | { status: 'failed'; error: { code: string; message: string } };

/**
 * Indexes a file, and stores the outcome.
 *
 * @throws The error of a failed attempt that is to be repeated; `JobPostponedError` while the embedding
 *   model has no room in its budget.
 */
export async function performIndexing(
  services: EmbeddingServices,
  stores: { files: Pick<ChatModelFiles, 'openForIndex'>; family: Family },
  job: Job<'vector_store_files'>,
): Promise<void> {
  try {
    if (Number(job.row.attempt) > maximumAttempts) {
      throw new ApiError(
        'INTERNAL_ERROR',
        'The platform stopped repeatedly while it read the file.',
      );
    }
    const usageBytes = await indexFile(services, stores, job);
    await settle(services, job, { status: 'completed', usageBytes });
  } catch (error) {
    if (error instanceof LeaseLostError) return;
    if (job.signal.aborted) throw error;
    if (error instanceof BudgetReservedError) throw new JobPostponedError();
    const isFinal = error instanceof DocumentError || Number(job.row.attempt) >= maximumAttempts;
    if (!isFinal) throw error;
    await settle(services, job, { status: 'failed', error: describe(error) });
  }
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof DocumentError) return { code: error.code, message: error.message };
  const message =
    error instanceof ApiError ? error.message : 'The platform could not index the file.';
  return { code: 'server_error', message };
}

/** Stores the outcome, unless the file was removed, cancelled or taken by another process. */
async function settle(
  { store }: Pick<ServiceOptions, 'store'>,
  { row, leaseId }: Job<'vector_store_files'>,
  outcome: Outcome,
): Promise<void> {
  const { vector_store_id: storeId, document_id: documentId, batch_id: batchId } = row;
  const isCompleted = outcome.status === 'completed';
  const usageBytes = isCompleted ? outcome.usageBytes : 0;
  await store.transaction(async (transaction) => {
    const locked = await transaction
      .selectFrom('vector_stores')
      .select('id')
      .where('id', '=', storeId)
      .forUpdate()
      .executeTakeFirst();
    if (!locked) return;
    const { numUpdatedRows } = await transaction
      .updateTable('vector_store_files')
      .set({
        status: outcome.status,
        last_error: isCompleted ? null : JSON.stringify(outcome.error),
        usage_bytes: usageBytes,
        worker: null,
        lease_id: null,
        run_after: null,
      })
      .where('document_id', '=', documentId)
      .where('lease_id', '=', leaseId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const changes = { in_progress: -1, [outcome.status]: 1, usageBytes };
    await addCounts(transaction, 'vector_stores', storeId, changes);
    if (batchId !== null) await addCounts(transaction, 'vector_store_batches', batchId, changes);
    if (isCompleted) return;
    await transaction
      .insertInto('vector_store_deletions')
      .values({ id: documentId, kind: 'document' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
