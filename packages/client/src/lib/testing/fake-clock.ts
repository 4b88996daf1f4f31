import type { Clock } from '../ports.ts';
import { macrotask } from './macrotask.ts';

interface Timer {
  /** Time at which it fires, on the scale of `#time`. */
  at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Start time: 2026-01-01T00:00:00Z. */
const epoch = Date.UTC(2026, 0, 1);
/** Longest delay of a timer in browsers, in milliseconds. Timers with longer delays fire immediately. */
const maxDelay = 2 ** 31 - 1;

/**
 * The clock of the page under test, which only a test advances. The machine can sleep, and its wall
 * clock can be changed. `elsewhere` is the clock of all other machines: pass it to a
 * `ScriptedPlatform`.
 */
export class FakeClock implements Clock {
  /** Real time in milliseconds since the start. */
  #time = 0;
  /** Error of the wall clock, in milliseconds. */
  #wallClockError = 0;
  /** Total time asleep, in milliseconds. */
  #slept = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();
  readonly #elsewhereTimers = new Set<Timer>();

  /** The clock of all other machines, which never sleeps and is correct. */
  readonly elsewhere: Clock = {
    now: () => epoch + this.#time,
    mono: () => this.#time,
    setTimeout: (callback, milliseconds) =>
      this.#set(this.#elsewhereTimers, callback, milliseconds),
    clearTimeout: (timer) => void this.#elsewhereTimers.delete(timer as Timer),
  };

  now = (): number => epoch + this.#time + this.#wallClockError;
  mono = (): number => this.#time - this.#slept;
  setTimeout = (callback: () => void, milliseconds: number): unknown =>
    this.#set(this.#timers, callback, milliseconds);
  clearTimeout = (timer: unknown): void => void this.#timers.delete(timer as Timer);

  /** Number of timers that were set so far, including those of `elsewhere`. */
  get timersSet(): number {
    return this.#order;
  }

  /** Number of pending timers of the page. It should be 0 after everything is closed. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer, including those of `elsewhere`; null without one. */
  get next(): number | null {
    const next = this.#due(Infinity, true);
    return next && Math.max(0, next.at - this.#time);
  }

  /** Runs everything that is ready, without advancing time. */
  async settle(): Promise<void> {
    await macrotask();
  }

  /** Advances time in milliseconds, and fires timers in order. */
  async advance(milliseconds: number): Promise<void> {
    if (!(milliseconds >= 0)) throw new RangeError('advance() needs 0 milliseconds or more.');
    await this.settle();
    await this.#advanceBy(milliseconds, true);
    await this.settle();
  }

  /**
   * Lets the machine sleep, in milliseconds: its wall clock advances, but not its monotonic clock and
   * timers. `elsewhere` advances.
   */
  async sleep(milliseconds: number): Promise<void> {
    await this.#advanceBy(milliseconds, false);
  }

  /** Advances only the monotonic clock, in milliseconds, which may be fractional. */
  drift(milliseconds: number): void {
    this.#slept -= milliseconds;
    for (const timer of this.#timers) timer.at -= milliseconds;
  }

  /** Adjusts the wall clock by this time in milliseconds, which may be negative. */
  adjustWallClock(milliseconds: number): void {
    this.#wallClockError += milliseconds;
  }

  #set(timers: Set<Timer>, callback: () => void, milliseconds: number): Timer {
    // Browsers truncate fractions of milliseconds.
    const wait = milliseconds > maxDelay ? 0 : Math.max(0, Math.floor(milliseconds));
    this.#order += 1;
    const timer = { at: this.#time + wait, order: this.#order, callback };
    timers.add(timer);
    return timer;
  }

  async #advanceBy(milliseconds: number, awake: boolean): Promise<void> {
    const end = this.#time + milliseconds;
    let fired = 0;
    for (let next = this.#due(end, awake); next; next = this.#due(end, awake)) {
      fired = next.at > this.#time ? 0 : fired + 1;
      if (fired > 1_000) throw new Error('Timers fire repeatedly without advancing time.');
      this.#addTime(next.at - this.#time, awake);
      this.#timers.delete(next);
      this.#elsewhereTimers.delete(next);
      next.callback();
      await this.settle();
    }
    this.#addTime(end - this.#time, awake);
  }

  #addTime(milliseconds: number, awake: boolean): void {
    const elapsed = Math.max(0, milliseconds);
    this.#time += elapsed;
    if (awake) return;
    this.#slept += elapsed;
    for (const timer of this.#timers) timer.at += elapsed;
  }

  #due(end: number, awake: boolean): Timer | null {
    let first: Timer | null = null;
    for (const timers of awake ? [this.#timers, this.#elsewhereTimers] : [this.#elsewhereTimers]) {
      for (const timer of timers) {
        if (timer.at > end) continue;
        const isEarlier =
          !first || timer.at < first.at || (timer.at === first.at && timer.order < first.order);
        if (isEarlier) first = timer;
      }
    }
    return first;
  }
}
