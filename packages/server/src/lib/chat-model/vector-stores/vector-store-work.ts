import type { Family } from '../../gateway/families.ts';
import { describeError } from '../../log/logger.ts';
import { isLeaseFree } from '../../runs/leases.ts';
import type { ServiceOptions } from '../../service-options.ts';
import type { ChatModelFiles } from '../chat-model-files.ts';
import type { VectorStoreIndexer } from './vector-store-indexer.ts';

/** Milliseconds between two searches for files to index and contents to delete. */
const sweepInterval = 2_000;

/**
 * Starts the background work of vector stores when there is some: after a request, and for the work
 * of processes that ended. The code is loaded on first use, so that the server starts faster.
 */
export class VectorStoreWork {
  readonly #services: ServiceOptions;
  readonly #stores: { files: Pick<ChatModelFiles, 'openForIndex'>; family: Family };
  #indexer: Promise<VectorStoreIndexer> | undefined;
  #sweep: Promise<void> = Promise.resolve();
  #cancelSweep = () => {};
  #isClosed = false;

  constructor(
    services: ServiceOptions,
    stores: { files: Pick<ChatModelFiles, 'openForIndex'>; family: Family },
  ) {
    this.#services = services;
    this.#stores = stores;
    this.#startSweep();
  }

  /** Starts queued work. */
  async wake(): Promise<void> {
    if (this.#isClosed) return;
    this.#indexer ??= import('./vector-store-indexer.ts').then(
      (module) => new module.VectorStoreIndexer(this.#services, this.#stores),
    );
    const indexer = await this.#indexer;
    if (!this.#isClosed) indexer.wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelSweep();
    await this.#sweep;
    await (await this.#indexer)?.close();
  }

  #startSweep(): void {
    this.#sweep = this.#wakeIfQueued()
      .catch((error: unknown) =>
        this.#services.log.error('vector stores not searched for work', describeError(error)),
      )
      .finally(() => {
        if (this.#isClosed) return;
        this.#cancelSweep = this.#services.clock.after(sweepInterval, () => this.#startSweep());
      });
  }

  async #wakeIfQueued(): Promise<void> {
    const { store, clock } = this.#services;
    const queued = await store.db
      .selectFrom('vector_store_files')
      .select('document_id')
      .where(isLeaseFree(clock.now()))
      .limit(1)
      .executeTakeFirst();
    const deleted =
      queued ??
      (await store.db
        .selectFrom('vector_store_deletions')
        .select('id')
        .limit(1)
        .executeTakeFirst());
    if (deleted) await this.wake();
  }
}
