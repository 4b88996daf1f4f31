import type { Clock } from '../clock.ts';
import { type Limiter, partsOfWindow } from './limiter.ts';

/** Number of subjects above which idle ones are removed. */
const sweepAbove = 1000;

/**
 * A limiter for a single process. Uses sliding windows: any period of the window's length contains
 * at most `maximum` requests. A fixed window would allow twice as many around its boundary.
 */
export function createInProcessLimiter(clock: Clock): Limiter {
  const requests = new Map<string, { times: SlidingWindow; inProgress: number }>();
  const windows = new Map<string, SlidingWindow>();
  const amounts = new Map<string, AmountsByPart>();
  let sweptAt = 0;

  return {
    async admit(subject, limits) {
      const now = clock.now();
      sweep(now);
      const counts = requests.get(subject) ?? { times: new SlidingWindow(1000), inProgress: 0 };
      requests.set(subject, counts);
      const { times } = counts;
      times.removeExpired(now);
      const limit = limits.requests_per_second;
      const refused =
        times.size >= limit
          ? 'rate'
          : counts.inProgress >= limits.concurrent
            ? 'concurrency'
            : null;
      if (refused === null) {
        times.add(now);
        counts.inProgress += 1;
      }
      let isInProgress = refused === null;
      return {
        refused,
        limit,
        remaining: Math.max(0, limit - times.size),
        resetMs: times.resetMs(now),
        release() {
          if (isInProgress) counts.inProgress -= 1;
          isInProgress = false;
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

    async take(subject, amount, { maximum, windowMs }) {
      const now = clock.now();
      sweep(now);
      const counted = amounts.get(subject) ?? new AmountsByPart(windowMs);
      amounts.set(subject, counted);
      const current = counted.total(now);
      if (amount > 0 && current + amount > maximum) return { allowed: false, current };
      counted.add(now, amount);
      return { allowed: true, current: current + amount };
    },
  };

  /** Removes idle subjects, so that memory use depends only on the number of recent callers. */
  function sweep(now: number): void {
    const size = requests.size + windows.size + amounts.size;
    if (size < sweepAbove || now - sweptAt < 1000) return;
    sweptAt = now;
    for (const [subject, { times, inProgress }] of requests) {
      times.removeExpired(now);
      if (inProgress === 0 && times.size === 0) requests.delete(subject);
    }
    for (const [subject, window] of windows) {
      window.removeExpired(now);
      if (window.size === 0) windows.delete(subject);
    }
    for (const [subject, counted] of amounts) {
      if (counted.total(now) === 0) amounts.delete(subject);
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
    // The clock was set back: later timestamps would be counted until the clock has caught up.
    if ((this.#times.at(-1) ?? now) > now) {
      this.#times = this.#times.map((time) => Math.min(time, now));
    }
    const windowStart = now - this.#lengthMs;
    while ((this.#times[this.#expired] ?? now) <= windowStart) this.#expired += 1;
    // Expired timestamps are removed from the array only when they are at least half of it, because
    // copying the array costs more than skipping them.
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

/** The amounts in a sliding window, added up for each part of the window. */
class AmountsByPart {
  readonly #windowMs: number;
  /** The total of each part, and the time of its last amount. */
  readonly #parts = new Map<number, { total: number; lastAt: number }>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(now: number, amount: number): void {
    const part = Math.floor((now * partsOfWindow) / this.#windowMs);
    const { total } = this.#parts.get(part) ?? { total: 0 };
    this.#parts.set(part, { total: total + amount, lastAt: now });
  }

  total(now: number): number {
    // The clock was set back: later amounts would be counted until the clock has caught up.
    for (const [part, { total, lastAt }] of this.#parts) {
      if (lastAt <= now) continue;
      this.#parts.delete(part);
      this.add(now, total);
    }
    let sum = 0;
    for (const [part, { total, lastAt }] of this.#parts) {
      if (lastAt <= now - this.#windowMs) this.#parts.delete(part);
      else sum += total;
    }
    return sum;
  }
}
