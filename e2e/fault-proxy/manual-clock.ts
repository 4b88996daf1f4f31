import type { Cancel, Clock } from './clock.ts';

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** A clock that only a test advances. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();
  #wakeWaiters: Array<() => void> = [];

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, ms: number): Cancel {
    const timer = { due: this.#now + Math.max(0, ms), callback };
    this.#timers.add(timer);
    for (const wake of this.#wakeWaiters.splice(0)) wake();
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Advances the time, and fires the due timers in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let timer = this.#earliest(); timer && timer.due <= until; timer = this.#earliest()) {
      this.#timers.delete(timer);
      this.#now = timer.due;
      timer.callback();
    }
    this.#now = until;
  }

  /** Waits for a timer, advances to the earliest one, and returns the milliseconds that it took. */
  async next(): Promise<number> {
    while (this.#timers.size === 0) {
      await new Promise<void>((resolve) => this.#wakeWaiters.push(resolve));
    }
    const ms = (this.#earliest()?.due ?? this.#now) - this.#now;
    this.advance(ms);
    return ms;
  }

  #earliest(): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.#timers) {
      if (!earliest || timer.due < earliest.due) earliest = timer;
    }
    return earliest;
  }
}
