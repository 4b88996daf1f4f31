/** Time and timers. Tests use a fake clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once, after a delay. Returns the cancel function, which is idempotent. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Longest delay of Node's timers (24.8 days); a timer with a longer one would fire immediately. */
const maximumDelay = 2 ** 31 - 1;

/** The system clock. Its timers do not keep the process alive, and fire after 24.8 days at the latest. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(milliseconds, 0), maximumDelay));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Formats a time as RFC 3339 in UTC, the format of all timestamps on the wire. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The same for a time that may be missing. */
export function isoTimeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}

/** Milliseconds of a day. */
export const dayMs = 86_400_000;
/** Milliseconds of an hour. */
export const hourMs = 3_600_000;

/** Returns the UTC day of a time, `YYYY-MM-DD`, for daily quotas. */
export function utcDay(milliseconds: number): string {
  return isoTime(milliseconds).slice(0, 10);
}

/** Returns the seconds until the next UTC day, rounded up; at least 1. */
export function secondsToNextUtcDay(milliseconds: number): number {
  return Math.ceil((dayMs - (milliseconds % dayMs)) / 1000);
}

/** Resolves after a delay, or as soon as `signal` is aborted. */
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
