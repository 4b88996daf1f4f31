import type { Clock } from '../clock.ts';
import type { Limiter } from './limiter.ts';

/** Number of subjects above which idle ones are removed. */
const sweepAbove = 1000;

/**
 * A limiter for a single process. Its windows slide: no window of that length ever contains more
 * than the limit, whereas a fixed window would let twice as many through at its boundary.
 */
export function createInProcessLimiter(clock: Clock): Limiter {
  const requests = new Map<string, { times: SlidingWindow; inProgress: number }>();
  const windows = new Map<string, SlidingWindow>();
  let sweptAt = 0;

  return {
    async admit(subject, limits) {
      const now = clock.now();
      sweep(now);
      const state = requests.get(subject) ?? { times: new SlidingWindow(1000), inProgress: 0 };
      requests.set(subject, state);
      const { times } = state;
      times.removeExpired(now);
      const limit = limits.requests_per_second;
      const refused =
        times.size >= limit ? 'rate' : state.inProgress >= limits.concurrent ? 'concurrency' : null;
      if (refused === null) {
        times.add(now);
        state.inProgress += 1;
      }
      let isHeld = refused === null;
      return {
        refused,
        limit,
        remaining: Math.max(0, limit - times.size),
        resetMs: times.resetMs(now),
        release() {
          if (isHeld) state.inProgress -= 1;
          isHeld = false;
        },
      };
    },

    async allow(subject, { maximum, windowMs }) {
      const now = clock.now();
      sweep(now);
      const window = windows.get(subject) ?? new SlidingWindow(windowMs);
      windows.set(subject, window);
      window.removeExpired(now);
      if (window.size >= maximum) {
        return { allowed: false, retryAfterMs: maximum === 0 ? windowMs : window.resetMs(now) };
      }
      window.add(now);
      return { allowed: true, retryAfterMs: 0 };
    },
  };

  /** Removes idle subjects, so that memory depends on recent callers only. */
  function sweep(now: number): void {
    if (requests.size + windows.size < sweepAbove || now - sweptAt < 1000) return;
    sweptAt = now;
    for (const [subject, { times, inProgress }] of requests) {
      times.removeExpired(now);
      if (inProgress === 0 && times.size === 0) requests.delete(subject);
    }
    for (const [subject, window] of windows) {
      window.removeExpired(now);
      if (window.size === 0) windows.delete(subject);
    }
  }
}

/** Minimum number of expired timestamps before they are removed from the array. */
const compactFrom = 64;

/** The timestamps within the window, oldest first. */
class SlidingWindow {
  readonly #lengthMs: number;
  #times: number[] = [];
  /** Number of expired timestamps at the start of the array. */
  #expired = 0;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  get size(): number {
    return this.#times.length - this.#expired;
  }

  add(now: number): void {
    this.#times.push(now);
  }

  removeExpired(now: number): void {
    const before = now - this.#lengthMs;
    while ((this.#times[this.#expired] ?? now) <= before) this.#expired += 1;
    // Not for each request, because copying the array costs more than skipping expired entries.
    const isDue = this.#expired >= compactFrom && this.#expired * 2 >= this.#times.length;
    if (!isDue && this.#expired < this.#times.length) return;
    this.#times = this.size === 0 ? [] : this.#times.slice(this.#expired);
    this.#expired = 0;
  }

  resetMs(now: number): number {
    const oldest = this.#times[this.#expired];
    return oldest === undefined ? 0 : Math.max(0, oldest + this.#lengthMs - now);
  }
}
