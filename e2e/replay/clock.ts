/** Stops a timer. Calling it twice is fine. */
export type Cancel = () => void;

/** Time, so that tests can hold it in their hand. Everything in milliseconds. */
export interface Clock {
  /** Since the epoch. */
  now(): number;
  setTimeout(callback: () => void, ms: number): Cancel;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits; ends early, without an error, when `signal` is aborted. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
