import type { Clock } from '../ports/clock.ts';
import type { Limiter } from './limiter.ts';

/** Subjects beyond which idle ones are looked for and forgotten. */
const sweepAbove = 1000;

/**
 * The limiter of a single process. Windows slide: at no moment do more than the limit lie within one
 * window, not even across a boundary, where a fixed window would let twice as many through.
 */
export function createInProcessLimiter(clock: Clock): Limiter {
  const requests = new Map<string, { times: SlidingWindow; underWay: number }>();
  const windows = new Map<string, SlidingWindow>();
  let sweptAt = 0;

  return {
    async begin(subject, limits) {
      const now = clock.now();
      sweep(now);
      const state = requests.get(subject) ?? { times: new SlidingWindow(1000), underWay: 0 };
      requests.set(subject, state);
      const { times } = state;
      times.forget(now);
      const limit = limits.requests_per_second;
      const refused =
        times.size >= limit ? 'rate' : state.underWay >= limits.concurrent ? 'concurrency' : null;
      if (refused === null) {
        times.add(now);
        state.underWay += 1;
      }
      let holds = refused === null;
      return {
        refused,
        limit,
        remaining: Math.max(0, limit - times.size),
        resetMs: times.resetMs(now),
        release() {
          if (holds) state.underWay -= 1;
          holds = false;
        },
      };
    },

    async allow(subject, { most, windowMs }) {
      const now = clock.now();
      sweep(now);
      const window = windows.get(subject) ?? new SlidingWindow(windowMs);
      windows.set(subject, window);
      window.forget(now);
      if (window.size >= most) {
        return { allowed: false, retryAfterMs: most === 0 ? windowMs : window.resetMs(now) };
      }
      window.add(now);
      return { allowed: true, retryAfterMs: 0 };
    },
  };

  /** Memory stays bounded by who was here lately, however many addresses there are. */
  function sweep(now: number): void {
    if (requests.size + windows.size < sweepAbove || now - sweptAt < 1000) return;
    sweptAt = now;
    for (const [subject, { times, underWay }] of requests) {
      times.forget(now);
      if (underWay === 0 && times.size === 0) requests.delete(subject);
    }
    for (const [subject, window] of windows) {
      window.forget(now);
      if (window.size === 0) windows.delete(subject);
    }
  }
}

/** Moments that no longer count, from which on they are cleared away. */
const clearedFrom = 64;

/** The moments that still count, oldest first. */
class SlidingWindow {
  readonly #lengthMs: number;
  #times: number[] = [];
  /** How many of them, from the first on, no longer count. */
  #gone = 0;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  get size(): number {
    return this.#times.length - this.#gone;
  }

  add(now: number): void {
    this.#times.push(now);
  }

  forget(now: number): void {
    const before = now - this.#lengthMs;
    while ((this.#times[this.#gone] ?? now) <= before) this.#gone += 1;
    // Only now and then, because moving thousands at every request would cost more than counting.
    const isDue = this.#gone >= clearedFrom && this.#gone * 2 >= this.#times.length;
    if (!isDue && this.#gone < this.#times.length) return;
    this.#times = this.size === 0 ? [] : this.#times.slice(this.#gone);
    this.#gone = 0;
  }

  resetMs(now: number): number {
    const oldest = this.#times[this.#gone];
    return oldest === undefined ? 0 : Math.max(0, oldest + this.#lengthMs - now);
  }
}
