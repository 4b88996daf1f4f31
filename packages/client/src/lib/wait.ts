import { InlayError } from './errors.ts';
import type { Clock } from './ports.ts';

/** What aborted work ends with: the reason of the signal, if it is one of ours. */
export function abortError(signal: AbortSignal): InlayError {
  return signal.reason instanceof InlayError
    ? signal.reason
    : new InlayError('ABORTED', 'The call was aborted.');
}

/** Waits for a promise, and no longer than the signal. The work behind the promise goes on. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortError(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle = <Result>(end: (result: Result) => void, result: Result) => {
      signal.removeEventListener('abort', abort);
      end(result);
    };
    promise.then(
      (value) => settle(resolve, value),
      (error) => settle(reject, error),
    );
  });
}

/**
 * Runs something with a time limit. Past it, the signal given to `work` is aborted and the call
 * rejects with `late()`, whatever `work` does then.
 */
export async function withTimeout<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  {
    clock,
    milliseconds,
    signal,
    late,
  }: {
    clock: Clock;
    milliseconds: number;
    signal: AbortSignal;
    late: () => InlayError;
  },
): Promise<Value> {
  const controller = new AbortController();
  const abort = () => controller.abort(abortError(signal));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const timer = clock.setTimeout(() => controller.abort(late()), milliseconds);
  try {
    return await untilAborted(work(controller.signal), controller.signal);
  } finally {
    clock.clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** A pause that ends early when it is woken or aborted. */
export class Pause {
  readonly #clock: Clock;
  #wake: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves after the time, on `wake()`, or at once for an aborted signal. Never rejects. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        this.#clock.clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#wake = null;
        resolve();
      };
      const timer = this.#clock.setTimeout(end, milliseconds);
      signal.addEventListener('abort', end, { once: true });
      this.#wake = end;
    });
  }

  wake(): void {
    this.#wake?.();
  }
}
