import type { Clock } from '../ports.ts';
import { macrotask } from './macrotask.ts';

interface Timer {
  /** When it fires, in milliseconds of true time, as long as the machine does not sleep. */
  at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Where time begins: 2026-01-01T00:00:00Z. */
const epoch = Date.UTC(2026, 0, 1);
/** A browser fires at once what is longer than 31 bits can hold. */
const longestTimer = 2 ** 31 - 1;

/**
 * Time that moves only when a test moves it. It is the clock of the page under test, with all that
 * befalls such clocks: the machine sleeps, somebody sets the wall clock. `elsewhere` is the clock of
 * all other machines, which go on meanwhile: give it to a `ScriptedPlatform`.
 */
export class FakeClock implements Clock {
  /** Milliseconds since the beginning, whatever this machine does. */
  #time = 0;
  /** By how much the wall clock is wrong. */
  #wrong = 0;
  /** How much of the time the machine was asleep. */
  #slept = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();
  readonly #elsewhere = new Set<Timer>();

  /** The clock of every other machine: it sleeps never, and is always right. */
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

  /** Timers that were ever set, here and elsewhere. */
  get set(): number {
    return this.#order;
  }

  /** Timers of the page that still wait. After everything is closed, there should be none. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer, here or elsewhere; null where none waits. */
  get next(): number | null {
    const next = this.#due(Infinity, true);
    return next && Math.max(0, next.at - this.#time);
  }

  /** Lets everything run that is ready, without moving time. */
  async settle(): Promise<void> {
    await macrotask();
  }

  /** Moves time on by so many milliseconds, firing timers in their order. */
  async advance(milliseconds: number): Promise<void> {
    if (!(milliseconds >= 0)) throw new RangeError('Time goes on: give 0 milliseconds or more.');
    await macrotask();
    await this.#move(milliseconds, true);
    await macrotask();
  }

  /**
   * The machine sleeps for so many milliseconds: its wall clock goes on, its monotonic clock and its
   * timers stand still. Elsewhere time passes.
   */
  async sleep(milliseconds: number): Promise<void> {
    await this.#move(milliseconds, false);
  }

  /** The monotonic clock goes on by so many milliseconds, or parts of one, and the wall clock not. */
  drift(milliseconds: number): void {
    this.#slept -= milliseconds;
    for (const timer of this.#timers) timer.at -= milliseconds;
  }

  /** Somebody sets the wall clock on by so many milliseconds, or back. */
  setBy(milliseconds: number): void {
    this.#wrong += milliseconds;
  }

  #set(timers: Set<Timer>, callback: () => void, milliseconds: number): Timer {
    // A browser drops parts of milliseconds.
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
