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
  /** Resolves when the last pending read of each user has ended its turn. */
  readonly #ended = new Map<string, Promise<void>>();

  /**
   * Calls `read` when it is its turn. Other requests are handled before the turn passes on.
   *
   * @param user Identifies the user of a replay.
   */
  async run<T>(user: string, read: () => Promise<T>): Promise<T> {
    const previous = this.#ended.get(user);
    let endTurn = () => {};
    const ended = new Promise<void>((resolve) => {
      endTurn = resolve;
    });
    this.#ended.set(user, ended);
    await previous;
    if (this.#running < maximumReads) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await read();
    } finally {
      setImmediate(() => {
        if (this.#ended.get(user) === ended) this.#ended.delete(user);
        endTurn();
        // The place passes to the read that has waited longest.
        const next = this.#waiting.shift();
        if (next) next();
        else this.#running -= 1;
      });
    }
  }
}
