import { setImmediate } from 'node:timers/promises';

/** Maximum pages that are read at a time, by all replays of this process together. */
const maximumReads = 4;

/**
 * Takes turns reading the pages of replays. The embedded store works synchronously, and a client that
 * reads fast never makes a replay wait: without turns, all replays would run to their end before other
 * requests are handled. Each user has one page read at a time, so that a user with many replays does
 * not delay those of others.
 */
export class PageReads {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** The last read of each user with pending reads. */
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Calls `read` when it is its turn. Other requests are handled before the next turn.
   *
   * @param user Identifies the user of a replay.
   */
  async run<T>(user: string, read: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(user) ?? Promise.resolve();
    const result = previous.then(() => this.#runInTurn(read));
    const settled = result.catch(() => {});
    this.#last.set(user, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(user) === settled) this.#last.delete(user);
    }
  }

  async #runInTurn<T>(read: () => Promise<T>): Promise<T> {
    if (this.#running < maximumReads) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await read();
    } finally {
      await setImmediate();
      // The turn passes to the read that has waited longest.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
