import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { describeError } from '../../log/logger.ts';
import type { ServiceOptions } from '../../service-options.ts';
import type { Family } from '../../upstreams/families.ts';
import { JobQueue } from '../../workers/job-queue.ts';
import type { Worker, Workload } from '../../workers/worker.ts';
import type { ChatModelFiles } from '../chat-model-files.ts';

/**
 * The background work of vector stores: indexes added files, and deletes the contents of deleted ones.
 * The code is loaded on first use, so that the server starts faster.
 */
export class VectorStoreWork implements Workload {
  readonly #services: ServiceOptions;
  readonly #files: JobQueue<'vector_store_files'>;
  readonly #leaveWorker: () => void;
  #deletion: Promise<void> | null = null;
  #isClosed = false;

  constructor(
    services: ServiceOptions & { readonly worker: Worker },
    stores: { files: Pick<ChatModelFiles, 'openForIndex'>; family: Family },
  ) {
    this.#services = services;
    this.#files = new JobQueue(services, {
      table: 'vector_store_files',
      key: 'document_id',
      queuedStatus: 'in_progress',
      maximum: services.config.limits.process.vector_store_files,
      async perform(job) {
        const { performIndexing } = await import('./perform-indexing.ts');
        await performIndexing(services, stores, job);
      },
    });
    this.#leaveWorker = services.worker.add(this);
  }

  /** Starts queued work. */
  wake(): void {
    this.#files.wake();
    this.#delete();
  }

  isQueued(): RawBuilder<SqlBool> {
    return sql<SqlBool>`exists (select 1 from vector_store_deletions)`;
  }

  check(): void {}

  abandon(): void {}

  /** Resolves when no file is being indexed in this process, or when `signal` is aborted. */
  settled(signal: AbortSignal): Promise<void> {
    return this.#files.settled(signal);
  }

  /** Stops all work. Other processes, or this one after a restart, start again with it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leaveWorker();
    await this.#files.close();
    await this.#deletion;
  }

  #delete(): void {
    if (this.#isClosed) return;
    this.#deletion ??= this.#deleteContents()
      .catch((error: unknown) =>
        this.#services.log.error('contents of vector stores not deleted', describeError(error)),
      )
      .finally(() => {
        this.#deletion = null;
      });
  }

  async #deleteContents(): Promise<void> {
    const { deleteContents } = await import('./delete-contents.ts');
    await deleteContents(this.#services, () => this.#isClosed);
  }
}
