import type { PageSignal, Ports } from '../ports.ts';

/** Longest pause between two looks, in milliseconds. */
const longestTick = 30_000;

/**
 * Looks whether something is due: when the page tells of anything after which timers may be stale,
 * and before anything can be due.
 */
export class RefreshSchedule {
  readonly #ports: Ports;
  readonly #check: (signal: PageSignal | null) => number | null;
  readonly #unwatch: () => void;
  #timer: unknown = null;

  /** `check` returns in how many milliseconds something is due; null for never. */
  constructor(ports: Ports, check: (signal: PageSignal | null) => number | null) {
    this.#ports = ports;
    this.#check = check;
    this.#unwatch = ports.page.watch((signal) => this.look(signal));
  }

  look(signal: PageSignal | null = null): void {
    const { clock } = this.#ports;
    clock.clearTimeout(this.#timer);
    const due = this.#check(signal);
    if (due === null) return;
    // What is due now has been begun. A part of a millisecond is none to a timer.
    const wait = Math.ceil(Math.min(due || longestTick, longestTick));
    this.#timer = clock.setTimeout(() => this.look(), wait);
  }

  close(): void {
    this.#unwatch();
    this.#ports.clock.clearTimeout(this.#timer);
  }
}
