import { BackgroundWork } from '../../background-work.ts';
import type { Family } from '../../gateway/families.ts';
import { describeError } from '../../log/logger.ts';
import { ApiError } from '../../problems/api-error.ts';
import { newId } from '../../random.ts';
import { isLeaseFree, LeaseLostError, leaseTime, renewalTime } from '../../runs/leases.ts';
import type { ServiceOptions } from '../../service-options.ts';
import type { ChatModelFiles } from '../chat-model-files.ts';
import { deleteContents } from './delete-contents.ts';
import { DocumentError } from './document-error.ts';
import { addCounts } from './file-counts.ts';
import { type IndexedFile, indexFile } from './index-file.ts';

/** Maximum number of attempts at a file, with or without an error of the process. */
const maximumAttempts = 3;
/** Milliseconds until a file is tried again whose vectors the provider refused. */
const retryDelay = 10_000;

interface Work extends IndexedFile {
  readonly stop: AbortController;
}

/** The end of the work on a file. */
type Outcome =
  | { status: 'completed'; usageBytes: number }
  | { status: 'failed'; error: { code: string; message: string } };

/**
 * Indexes files of vector stores, each in one process at a time, and deletes the contents of deleted
 * ones. The row of a file is its queue entry and has a lease: if the process crashes, another process
 * takes over when the lease expires.
 */
export class VectorStoreIndexer {
  readonly #services: ServiceOptions;
  readonly #stores: { files: Pick<ChatModelFiles, 'openForIndex'>; family: Family };
  readonly #active = new Map<string, Work>();
  readonly #work: BackgroundWork;
  #isDeleting = false;

  constructor(
    services: ServiceOptions,
    stores: { files: Pick<ChatModelFiles, 'openForIndex'>; family: Family },
  ) {
    this.#services = services;
    this.#stores = stores;
    this.#work = new BackgroundWork(services, 'indexing of vector stores failed');
    this.#work.repeat(renewalTime, () => this.#renew());
  }

  /** Starts queued files, up to the limit of the process, and deletes deleted contents. */
  wake(): void {
    if (this.#work.isClosed) return;
    this.#work.add(this.#startQueued());
    if (this.#isDeleting) return;
    this.#isDeleting = true;
    this.#work.add(
      deleteContents(this.#services, () => this.#work.isClosed).finally(() => {
        this.#isDeleting = false;
      }),
    );
  }

  /** Stops all work and puts it back into the queue, for other processes or the next start. */
  async close(): Promise<void> {
    const closed = this.#work.close();
    for (const { stop } of this.#active.values()) stop.abort();
    await closed;
  }

  async #startQueued(): Promise<void> {
    const { store, clock, random, config } = this.#services;
    for (;;) {
      const free = config.limits.process.vector_store_files - this.#active.size;
      if (this.#work.isClosed || free <= 0) return;
      const now = clock.now();
      const next = await store.db
        .selectFrom('vector_store_files')
        .select('document_id')
        .where(isLeaseFree(now))
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst();
      if (!next) return;
      const leaseId = newId(random, 'lease_');
      const row = await store.db
        .updateTable('vector_store_files')
        .set((eb) => ({
          lease_id: leaseId,
          lease_until: now + leaseTime,
          attempt: eb('attempt', '+', 1),
        }))
        .where('document_id', '=', next.document_id)
        .where(isLeaseFree(now))
        .returningAll()
        .executeTakeFirst();
      // Another process was faster.
      if (!row) continue;
      const stop = new AbortController();
      const work = { row, leaseId, stop, signal: stop.signal };
      this.#active.set(row.document_id, work);
      if (this.#work.isClosed) stop.abort();
      this.#work.add(
        this.#perform(work).finally(() => {
          this.#active.delete(row.document_id);
          if (!this.#work.isClosed) this.#work.add(this.#startQueued());
        }),
      );
    }
  }

  async #perform(work: Work): Promise<void> {
    const { row, stop } = work;
    try {
      if (Number(row.attempt) > maximumAttempts) {
        throw new ApiError(
          'INTERNAL_ERROR',
          'The platform stopped repeatedly while it read the file.',
        );
      }
      const usageBytes = await indexFile(this.#services, this.#stores, work);
      await this.#settle(work, { status: 'completed', usageBytes });
    } catch (error) {
      if (error instanceof LeaseLostError) return;
      if (stop.signal.aborted) return this.#requeue(work, { delay: 0, isCounted: false });
      if (error instanceof DocumentError) {
        const { code, message } = error;
        return this.#settle(work, { status: 'failed', error: { code, message } });
      }
      const { log } = this.#services;
      const document = { vector_store: row.vector_store_id, file: row.file_id };
      log.warn('file of a vector store not indexed', { ...document, ...describeError(error) });
      if (Number(row.attempt) < maximumAttempts) {
        return this.#requeue(work, { delay: retryDelay, isCounted: true });
      }
      const message =
        error instanceof ApiError ? error.message : 'The platform could not index the file.';
      await this.#settle(work, { status: 'failed', error: { code: 'server_error', message } });
    }
  }

  /** Stores the outcome, unless the file was removed, cancelled or taken over. */
  async #settle({ row, leaseId }: Work, outcome: Outcome): Promise<void> {
    const { store } = this.#services;
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
          lease_id: null,
          lease_until: null,
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

  async #requeue(
    { row, leaseId }: Work,
    { delay, isCounted }: { delay: number; isCounted: boolean },
  ): Promise<void> {
    const { store, clock } = this.#services;
    await store.db
      .updateTable('vector_store_files')
      .set((eb) => ({
        lease_id: null,
        lease_until: delay === 0 ? 0 : clock.now() + delay,
        attempt: eb('attempt', '-', isCounted ? 0 : 1),
      }))
      .where('document_id', '=', row.document_id)
      .where('lease_id', '=', leaseId)
      .execute();
  }

  async #renew(): Promise<void> {
    const { store, clock } = this.#services;
    for (const { row, leaseId, stop } of [...this.#active.values()]) {
      const { numUpdatedRows } = await store.db
        .updateTable('vector_store_files')
        .set({ lease_until: clock.now() + leaseTime })
        .where('document_id', '=', row.document_id)
        .where('lease_id', '=', leaseId)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) stop.abort();
    }
  }
}
