import { once } from 'node:events';
import type { Transaction } from 'kysely';
import type { ServiceOptions } from '../service-options.ts';
import type { Schema } from '../store/schema.ts';
import { JobQueue } from '../workers/job-queue.ts';
import type { Worker } from '../workers/worker.ts';

/** Maximum contents that a process deletes at a time. */
const maximum = 4;

type BlobServices = Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'log'>;

/**
 * Deletes the contents of deleted files, as jobs of the table `blob_deletions`. A job is added in the
 * transaction that deletes the file, so that no content remains after a crash. If the storage of
 * contents fails, the job is repeated until it succeeds, and does not delay others.
 */
export class BlobDeletions {
  readonly #services: BlobServices;
  readonly #queue: JobQueue<'blob_deletions'>;

  constructor(services: BlobServices & { readonly worker: Worker }) {
    const { store } = services;
    this.#services = services;
    this.#queue = new JobQueue(services, {
      table: 'blob_deletions',
      key: 'id',
      queuedStatus: 'queued',
      maximum,
      async perform({ row: { id }, leaseId, signal }) {
        // A storage that does not respond must not delay the stop of the process.
        const stopped = once(signal, 'abort').then(() => Promise.reject(signal.reason));
        await Promise.race([store.blobs.delete(id), stopped]);
        // Another job may have been added for the content meanwhile.
        await store.db
          .deleteFrom('blob_deletions')
          .where('id', '=', id)
          .where('lease_id', '=', leaseId)
          .execute();
      },
    });
  }

  /**
   * Adds jobs, also for contents that are being deleted, because an upload in progress may store them
   * again. Call `wake` after the commit.
   */
  async add(transaction: Transaction<Schema>, ids: readonly string[]): Promise<void> {
    const now = this.#services.clock.now();
    const queued = { status: 'queued' as const, worker: null, lease_id: null, run_after: now };
    await transaction
      .insertInto('blob_deletions')
      .values(ids.map((id) => ({ ...queued, id, created_at: now })))
      .onConflict((conflict) => conflict.column('id').doUpdateSet(queued))
      .execute();
  }

  /** Starts jobs. */
  wake(): void {
    this.#queue.wake();
  }

  /** Stops all jobs. Other processes, or this one after a restart, start them again. */
  close(): Promise<void> {
    return this.#queue.close();
  }
}
