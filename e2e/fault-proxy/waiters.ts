/** Promises for the next occurrence of an event. */
export class Waiters<Value> {
  #waiting: Array<{ accepts: (value: Value) => boolean; resolve: (value: Value) => void }> = [];

  /** @param accepts Selects the values; all by default. */
  next(accepts: (value: Value) => boolean = () => true): Promise<Value> {
    return new Promise((resolve) => this.#waiting.push({ accepts, resolve }));
  }

  notify(value: Value): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) {
      if (waiter.accepts(value)) waiter.resolve(value);
      else this.#waiting.push(waiter);
    }
  }
}
