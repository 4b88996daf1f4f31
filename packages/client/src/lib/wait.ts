import { InlayError } from './errors.ts';
import type { Clock } from './ports.ts';

/** Returns the error of an aborted call: the signal's reason if it is an `InlayError`. */
export function abortError(signal: AbortSignal): InlayError {
  return signal.reason instanceof InlayError
    ? signal.reason
    : new InlayError('ABORTED', 'The call was aborted.');
}

/** Calls `callback` on abort, or immediately for an aborted signal. Returns the unsubscribe function. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback();
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}

/** Returns a promise that rejects when the signal is aborted. The work of `promise` continues. */
export function untilAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const unsubscribe = onAbort(signal, () => reject(abortError(signal)));
    void promise.then(resolve, reject).finally(unsubscribe);
  });
}

/**
 * Runs `action` with a time limit. When the time has passed, the signal passed to `action` is aborted,
 * and the call rejects with `createError()`. When `signal` or `otherSignal` is aborted, the same happens
 * with the reason of that signal.
 */
export async function withTimeout<Value>(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal,
  createError: () => InlayError,
  action: (signal: AbortSignal) => Promise<Value>,
  otherSignal = signal,
): Promise<Value> {
  const controller = new AbortController();
  const follow = (each: AbortSignal) => onAbort(each, () => controller.abort(abortError(each)));
  const unsubscribe = follow(signal);
  const unsubscribeOther = follow(otherSignal);
  const timer = clock.setTimeout(() => controller.abort(createError()), milliseconds);
  try {
    return await untilAborted(action(controller.signal), controller.signal);
  } finally {
    clock.clearTimeout(timer);
    unsubscribe();
    unsubscribeOther();
  }
}

/** Maximum duration of one timer of a pause, in milliseconds. */
const maxTimer = 60_000;

/** A wait that can be ended early. */
export class Pause {
  readonly #clock: Clock;
  #wake: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves after the time, on `wake()` or on abort. Never rejects. Long waits check the clocks every
   * minute, because timers stop during sleep and overflow after 24 days.
   */
  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const start = dualNow(this.#clock);
    return new Promise((resolve) => {
      let timer: unknown;
      const end = () => {
        this.#clock.clearTimeout(timer);
        unsubscribe();
        this.#wake = null;
        resolve();
      };
      const startTimer = (remaining: number) => {
        timer = this.#clock.setTimeout(
          () => {
            const next = remaining > maxTimer ? remainingMs(start, milliseconds, this.#clock) : 0;
            if (next > 0) startTimer(Math.ceil(next));
            else end();
          },
          Math.min(remaining, maxTimer),
        );
      };
      const unsubscribe = onAbort(signal, end);
      startTimer(milliseconds);
      this.#wake = end;
    });
  }

  wake(): void {
    this.#wake?.();
  }
}

/** A point in time on both the wall clock and the monotonic clock. */
export interface DualTime {
  readonly wall: number;
  readonly mono: number;
}

export function dualNow(clock: Clock): DualTime {
  return { wall: clock.now(), mono: clock.mono() };
}

/**
 * Returns the milliseconds since `start`, by the clock that advanced further: the monotonic clock
 * stops during sleep on most systems, and the wall clock can be set back.
 */
export function elapsedMs(start: DualTime, clock: Clock): number {
  return Math.max(clock.now() - start.wall, clock.mono() - start.mono);
}

/** Returns how much of `duration` remains, counted from `start`, in milliseconds; 0 without a start. */
export function remainingMs(
  start: DualTime | null | undefined,
  duration: number,
  clock: Clock,
): number {
  return start ? Math.max(0, duration - elapsedMs(start, clock)) : 0;
}
