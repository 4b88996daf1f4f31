/** Requests without a known credential that are handled in one turn of the event loop. */
const perTurn = 2;

/**
 * Spreads requests over several turns of the event loop, so that requests of known callers, which do
 * not wait here, are handled in between. Otherwise, a revocation would wait, at each of its steps, for
 * the hundreds of health checks and made-up credentials that arrived before it.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #isScheduled = false;

  /** Resolves in the first turn that has a free place, in the order of the calls. */
  async wait(): Promise<void> {
    if (this.#taken === perTurn) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken += 1;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const next = this.#waiting.splice(0, perTurn);
      this.#taken = next.length;
      for (const resume of next) resume();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}
