import type { Clock } from '../ports.ts';

interface Timer {
  at: number;
  order: number;
  callback: () => void;
}

/** Lets everything that is ready run, and what that makes ready. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Time that moves only when a test moves it. */
export class FakeClock implements Clock {
  #wall = Date.UTC(2026, 0, 1);
  #mono = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  now = () => this.#wall;
  mono = () => this.#mono;

  setTimeout = (callback: () => void, milliseconds: number): Timer => {
    // A browser fires at once what is longer than 31 bits can hold, and drops parts of milliseconds.
    const wait = milliseconds > 2 ** 31 - 1 ? 0 : Math.max(0, Math.floor(milliseconds));
    this.#order += 1;
    const timer = { at: this.#mono + wait, order: this.#order, callback };
    this.#timers.add(timer);
    return timer;
  };

  clearTimeout = (timer: unknown): void => {
    this.#timers.delete(timer as Timer);
  };

  /** Timers that were ever set. */
  get set(): number {
    return this.#order;
  }

  /** Timers that still wait. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves both clocks, firing timers in their order. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#mono + milliseconds;
    await settle();
    let fired = 0;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      fired = next.at > this.#mono ? 0 : fired + 1;
      if (fired > 1_000) throw new Error('timers fire again and again, and no time passes');
      this.#wall += next.at - this.#mono;
      this.#mono = next.at;
      this.#timers.delete(next);
      next.callback();
      await settle();
    }
    this.#wall += end - this.#mono;
    this.#mono = end;
    await settle();
  }

  /** The machine sleeps: the wall clock goes on, the monotonic one and all timers stand still. */
  sleep(milliseconds: number): void {
    this.#wall += milliseconds;
  }

  /** The monotonic clock goes on by a part of a millisecond. */
  drift(milliseconds: number): void {
    this.#mono += milliseconds;
  }

  /** Someone sets the wall clock. */
  setBy(milliseconds: number): void {
    this.#wall += milliseconds;
  }

  #next(end: number): Timer | undefined {
    return [...this.#timers]
      .filter((timer) => timer.at <= end)
      .sort((a, b) => a.at - b.at || a.order - b.order)[0];
  }
}
