import { left, moment } from './dual-clock.ts';
import { InlayError } from './errors.ts';
import type { Clock } from './ports.ts';

/** What aborted work ends with: the reason of the signal, if it is one of ours. */
export function abortError(signal: AbortSignal): InlayError {
  return signal.reason instanceof InlayError
    ? signal.reason
    : new InlayError('ABORTED', 'The call was aborted.');
}

/** Calls back when the signal is aborted: now, if it is already. Returns the undo. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback();
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}

/** Waits for a promise, and no longer than the signal. The work behind the promise goes on. */
export function untilAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const undo = onAbort(signal, () => reject(abortError(signal)));
    void promise.then(resolve, reject).finally(undo);
  });
}

/**
 * Runs something with a time limit. Past it, the signal given to `work` is aborted and the call
 * rejects with `late()`, whatever `work` does then.
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

/** Longest time until a pause looks at the clocks, in milliseconds. */
const longestTimer = 60_000;

/** A pause that ends early when it is woken or aborted. */
export class Pause {
  readonly #clock: Clock;
  #wake: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves after the time, on `wake()`, or at once for an aborted signal. Never rejects. A long
   * wait looks at the clocks now and then: timers stand still in sleep, and overflow after 24 days.
   */
  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const start = moment(this.#clock);
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
            const next = rest > longestTimer ? left(start, milliseconds, this.#clock) : 0;
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
