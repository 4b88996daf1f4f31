import { BackgroundWork } from '../../background-work.ts';
import type { Family } from '../../gateway/families.ts';
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
  readonly #work: BackgroundWork;
  #indexer: Promise<VectorStoreIndexer> | undefined;

  constructor(
    services: ServiceOptions,
    stores: { files: Pick<ChatModelFiles, 'openForIndex'>; family: Family },
  ) {
    this.#services = services;
    this.#stores = stores;
    this.#work = new BackgroundWork(services, 'work on vector stores not started');
    this.#work.repeat(sweepInterval, () => this.#wakeIfQueued());
  }

  /** Starts queued work. */
  wake(): void {
    this.#work.add(this.#wakeIndexer());
  }

  async close(): Promise<void> {
    await this.#work.close();
    await (await this.#indexer)?.close();
  }

  async #wakeIndexer(): Promise<void> {
    if (this.#work.isClosed) return;
    this.#indexer ??= import('./vector-store-indexer.ts').then(
      (module) => new module.VectorStoreIndexer(this.#services, this.#stores),
    );
    const indexer = await this.#indexer;
    if (!this.#work.isClosed) indexer.wake();
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
    if (deleted) await this.#wakeIndexer();
  }
}
