/**
 * Performs expensive tasks a few at a time, and one at a time for each user, so that a user with many
 * tasks does not delay those of others.
 */
export class UserTurns {
  readonly #maximum: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Resolves when the last pending task of each user has ended its turn. */
  readonly #ended = new Map<string, Promise<void>>();

  /** @param maximum Tasks at a time, of all users together. */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /**
   * Calls `task` when it is its turn. Other requests are handled before the turn passes on.
   *
   * @param user Identifies the user.
   */
  async run<T>(user: string, task: () => Promise<T>): Promise<T> {
    const previous = this.#ended.get(user);
    let endTurn = () => {};
    const ended = new Promise<void>((resolve) => {
      endTurn = resolve;
    });
    this.#ended.set(user, ended);
    await previous;
    if (this.#running < this.#maximum) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      setImmediate(() => {
        if (this.#ended.get(user) === ended) this.#ended.delete(user);
        endTurn();
        // The place passes to the task that has waited longest.
        const next = this.#waiting.shift();
        if (next) next();
        else this.#running -= 1;
      });
    }
  }
}
