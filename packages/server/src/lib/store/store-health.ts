import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { describeError, type Logger } from '../log/logger.ts';
import type { Store } from './store.ts';

/** Milliseconds between two checks. */
const interval = 1000;
/** Milliseconds without a response after which the store counts as not responding. */
const patience = 5000;

interface StoreHealthOptions {
  readonly store: Pick<Store, 'priority'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Checks at intervals whether the store responds. Health checks read the result, because everyone may
 * send as many as they like, and a query for each would occupy the connections for revocations.
 *
 * The check uses one of these connections: a process whose other connections are busy is healthy.
 */
export class StoreHealth {
  readonly #options: StoreHealthOptions;
  #isResponding = true;
  #isClosed = false;
  #cancelCheck: () => void;
  #cancelPatience: () => void = () => {};

  constructor(options: StoreHealthOptions) {
    this.#options = options;
    this.#cancelCheck = options.clock.after(interval, () => void this.#check());
  }

  /** Whether the store responded to the last check. */
  get isResponding(): boolean {
    return this.#isResponding;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelCheck();
    this.#cancelPatience();
  }

  async #check(): Promise<void> {
    const { store, clock } = this.#options;
    this.#cancelPatience = clock.after(patience, () => this.#setResponding(false));
    try {
      await sql`select 1`.execute(store.priority.db);
      this.#setResponding(true);
    } catch (error) {
      this.#setResponding(false, error);
    }
    this.#cancelPatience();
    if (!this.#isClosed) this.#cancelCheck = clock.after(interval, () => void this.#check());
  }

  #setResponding(isResponding: boolean, error?: unknown): void {
    if (this.#isClosed || isResponding === this.#isResponding) return;
    this.#isResponding = isResponding;
    const { log } = this.#options;
    if (isResponding) log.info('the store responds again');
    else log.error('the store does not respond', error === undefined ? {} : describeError(error));
  }
}
