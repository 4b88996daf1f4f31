import { dualNow, remainingMs } from './dual-clock.ts';
import { InlayError } from './errors.ts';
import type { Clock } from './ports.ts';

/** Returns the error of aborted work: the signal's reason if it is an `InlayError`. */
export function abortError(signal: AbortSignal): InlayError {
  return signal.reason instanceof InlayError
    ? signal.reason
    : new InlayError('ABORTED', 'The call was aborted.');
}

/** Calls back on abort, at once for an aborted signal. Returns the function that removes the listener. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback();
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}

/** Waits for a promise until the signal is aborted. The work behind the promise continues. */
export function untilAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const undo = onAbort(signal, () => reject(abortError(signal)));
    void promise.then(resolve, reject).finally(undo);
  });
}

/**
 * Runs `work` with a time limit, after which its signal is aborted and the call rejects with `late()`.
 */
export async function withTimeout<Value>(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal,
  late: () => InlayError,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const undo = onAbort(signal, () => controller.abort(abortError(signal)));
  const timer = clock.setTimeout(() => controller.abort(late()), milliseconds);
  try {
    return await untilAborted(work(controller.signal), controller.signal);
  } finally {
    clock.clearTimeout(timer);
    undo();
  }
}

/** Longest single timer of a pause, in milliseconds. */
const longestTimer = 60_000;

/** A wait that can be ended early. */
export class Pause {
  readonly #clock: Clock;
  #wake: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves after the time, on `wake()`, or on abort. Never rejects. Long waits compare clocks every
   * minute, because timers stop during sleep and overflow after 24 days.
   */
  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const start = dualNow(this.#clock);
    return new Promise((resolve) => {
      let timer: unknown;
      const end = () => {
        this.#clock.clearTimeout(timer);
        undo();
        this.#wake = null;
        resolve();
      };
      const arm = (rest: number) => {
        timer = this.#clock.setTimeout(
          () => {
            const next = rest > longestTimer ? remainingMs(start, milliseconds, this.#clock) : 0;
            if (next > 0) arm(Math.ceil(next));
            else end();
          },
          Math.min(rest, longestTimer),
        );
      };
      const undo = onAbort(signal, end);
      arm(milliseconds);
      this.#wake = end;
    });
  }

  wake(): void {
    this.#wake?.();
  }
}
