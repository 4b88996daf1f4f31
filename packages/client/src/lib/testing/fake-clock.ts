import type { Clock } from '../ports.ts';
import { macrotask } from './macrotask.ts';

interface Timer {
  /** Time at which it fires, in milliseconds of true time without sleep. */
  at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Start time: 2026-01-01T00:00:00Z. */
const epoch = Date.UTC(2026, 0, 1);
/** Longest timer of browsers. They fire longer ones at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * The clock of the page under test, which only a test advances. The machine can sleep, and its wall
 * clock can be changed. `elsewhere` is the clock of all other machines: pass it to a
 * `ScriptedPlatform`.
 */
export class FakeClock implements Clock {
  /** True time in milliseconds since the start. */
  #time = 0;
  /** Error of the wall clock, in milliseconds. */
  #wrong = 0;
  /** Time asleep, in milliseconds. */
  #slept = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();
  readonly #elsewhere = new Set<Timer>();

  /** The clock of all other machines, which never sleeps and is correct. */
  readonly elsewhere: Clock = {
    now: () => epoch + this.#time,
    mono: () => this.#time,
    setTimeout: (callback, milliseconds) => this.#set(this.#elsewhere, callback, milliseconds),
    clearTimeout: (timer) => void this.#elsewhere.delete(timer as Timer),
  };

  now = (): number => epoch + this.#time + this.#wrong;
  mono = (): number => this.#time - this.#slept;
  setTimeout = (callback: () => void, milliseconds: number): unknown =>
    this.#set(this.#timers, callback, milliseconds);
  clearTimeout = (timer: unknown): void => void this.#timers.delete(timer as Timer);

  /** Number of timers that were set, including those of `elsewhere`. */
  get set(): number {
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
    if (!(milliseconds >= 0)) throw new RangeError('Time goes on: give 0 milliseconds or more.');
    await macrotask();
    await this.#move(milliseconds, true);
    await macrotask();
  }

  /**
   * Lets the machine sleep, in milliseconds: its wall clock advances, but not its monotonic clock and
   * timers. `elsewhere` advances.
   */
  async sleep(milliseconds: number): Promise<void> {
    await this.#move(milliseconds, false);
  }

  /** Advances only the monotonic clock, in milliseconds or fractions of one. */
  drift(milliseconds: number): void {
    this.#slept -= milliseconds;
    for (const timer of this.#timers) timer.at -= milliseconds;
  }

  /** Changes the wall clock by this time in milliseconds, which may be negative. */
  setBy(milliseconds: number): void {
    this.#wrong += milliseconds;
  }

  #set(timers: Set<Timer>, callback: () => void, milliseconds: number): Timer {
    // Browsers truncate fractions of milliseconds.
    const wait = milliseconds > longestTimer ? 0 : Math.max(0, Math.floor(milliseconds));
    this.#order += 1;
    const timer = { at: this.#time + wait, order: this.#order, callback };
    timers.add(timer);
    return timer;
  }

  async #move(milliseconds: number, awake: boolean): Promise<void> {
    const end = this.#time + milliseconds;
    let fired = 0;
    for (let next = this.#due(end, awake); next; next = this.#due(end, awake)) {
      fired = next.at > this.#time ? 0 : fired + 1;
      if (fired > 1_000) throw new Error('Timers fire again and again, and no time passes.');
      this.#pass(next.at - this.#time, awake);
      this.#timers.delete(next);
      this.#elsewhere.delete(next);
      next.callback();
      await macrotask();
    }
    this.#pass(end - this.#time, awake);
  }

  #pass(milliseconds: number, awake: boolean): void {
    const passed = Math.max(0, milliseconds);
    this.#time += passed;
    if (awake) return;
    this.#slept += passed;
    for (const timer of this.#timers) timer.at += passed;
  }

  #due(end: number, awake: boolean): Timer | null {
    let first: Timer | null = null;
    for (const timers of awake ? [this.#timers, this.#elsewhere] : [this.#elsewhere]) {
      for (const timer of timers) {
        if (timer.at > end) continue;
        const earlier =
          !first || timer.at < first.at || (timer.at === first.at && timer.order < first.order);
        if (earlier) first = timer;
      }
    }
    return first;
  }
}
