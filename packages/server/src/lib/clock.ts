/** Time, so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, after so many milliseconds. Returns what cancels it; cancelling twice is fine. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Longest delay that Node's timers take; a longer one would fire at once. */
const longestDelay = 2 ** 31 - 1;

/** The real clock. Its timers keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(milliseconds, 0), longestDelay));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** RFC 3339 in UTC, as every timestamp on the wire is written. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The UTC calendar day of a moment, `YYYY-MM-DD`, which daily caps count by. */
export function utcDay(milliseconds: number): string {
  return isoTime(milliseconds).slice(0, 10);
}

/** Whole seconds until the next UTC day begins; at least 1. */
export function secondsToNextUtcDay(milliseconds: number): number {
  const day = 86_400_000;
  return Math.max(1, Math.ceil((day - (milliseconds % day)) / 1000));
}

/** Waits; ends early, without an error, when `signal` is aborted. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(milliseconds, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
