/** Promises for the next occurrence of an event. */
export class Waiters<Value> {
  #waiting: Array<{ wants: (value: Value) => boolean; resolve: (value: Value) => void }> = [];

  /** @param wants Which ones count; by default all. */
  next(wants: (value: Value) => boolean = () => true): Promise<Value> {
    return new Promise((resolve) => this.#waiting.push({ wants, resolve }));
  }

  tell(value: Value): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) {
      if (waiter.wants(value)) waiter.resolve(value);
      else this.#waiting.push(waiter);
    }
  }
}
