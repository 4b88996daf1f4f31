import type { Clock } from '@inlay/server';

/** Real milliseconds that I/O gets to finish after each step. */
const ioPauseMs = 4;

/** A clock that advances in steps, and waits for I/O after each of them. */
export class SteppedClock implements Clock {
  #now = Date.UTC(2026, 0, 15, 12);
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  now = () => this.#now;

  after = (milliseconds: number, callback: () => void): (() => void) => {
    const timer = { at: this.#now + Math.max(0, milliseconds), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** Advances the time. Waits after every timer for sockets and the store. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await pause();
    for (let next = this.#earliest(end); next; next = this.#earliest(end)) {
      this.#timers.delete(next);
      this.#now = next.at;
      next.callback();
      await pause();
    }
    this.#now = end;
  }

  #earliest(end: number) {
    return [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ioPauseMs));
}
