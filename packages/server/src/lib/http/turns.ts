/** Requests without a known credential that are handled in one turn. */
const perTurn = 2;
/** Milliseconds between two turns. */
const turnMs = 1;

/**
 * Spreads requests over time, so that requests of known callers, which do not wait here, are handled in
 * between, and find the processor idle. Otherwise, a revocation would wait, at each of its steps, for
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
    setTimeout(() => {
      this.#isScheduled = false;
      const next = this.#waiting.splice(0, perTurn);
      this.#taken = next.length;
      for (const resume of next) resume();
      if (this.#waiting.length > 0) this.#schedule();
    }, turnMs);
  }
}
