import { retryDelay } from './backoff.ts';
import { asInlayError, type InlayError } from './errors.ts';
import type { Ports } from './ports.ts';
import type { Reachability } from './reachability.ts';
import type { TokenManager } from './tokens/token-manager.ts';
import { waitForAuth } from './tokens/wait-for-auth.ts';
import { abortError, Pause } from './wait.ts';

export interface RetryOptions {
  readonly ports: Ports;
  readonly reachability: Reachability;
  readonly tokens: TokenManager;
  readonly signal: AbortSignal;
  /**
   * Whether to wait while access is denied, instead of failing.
   *
   * @default false
   */
  readonly outlastDenial?: boolean;
  /**
   * Number of 5xx or unreadable responses after which the call fails.
   *
   * @default Infinity
   */
  readonly maxErrorResponses?: number;
  /** Called before each wait of `delay` milliseconds; with null while there is no network. */
  readonly onWait?: (error: InlayError | null, delay: number) => void;
  /** The pause of the waits, so that the caller can end one early. */
  readonly pause?: Pause;
}

/**
 * Retries `work` until it succeeds, with exponential backoff, at least the wait that the platform asks
 * for, and a pause while there is no network. Rejects with errors that are not retryable.
 */
export async function retry<Value>(
  work: () => Promise<Value>,
  options: RetryOptions,
): Promise<Value> {
  const { ports, tokens, reachability, signal, pause = new Pause(ports.clock) } = options;
  let failures = 0;
  /** Why it is waiting; null for no network. */
  let reason: InlayError | null = null;
  const retryNow = () => {
    failures = 0;
    pause.wake();
  };
  const unwatch = ports.page.watch((change) => {
    const back = change === 'online' || change === 'restored';
    // A wait that the platform asked for is kept.
    if (back && !reason?.retryAfterMs) retryNow();
  });
  const unsubscribe = reachability.subscribe(() => {
    if (!reason?.retryAfterMs && reason?.status == null) retryNow();
  });
  let answers = 0;
  try {
    for (;;) {
      while (!ports.page.online() && !signal.aborted) {
        reason = null;
        options.onWait?.(null, 0);
        await pause.wait(offlineLook, signal);
      }
      if (signal.aborted) throw abortError(signal);
      try {
        return await work();
      } catch (cause) {
        if (signal.aborted) throw abortError(signal);
        const error = asInlayError(cause);
        if (tokens.ended) {
          // Only the user can end a denial.
          if (!options.outlastDenial) throw error;
          await waitForAuth(tokens, signal);
          continue;
        }
        reason = error;
        failures += 1;
        // Also an answer of unknown shape: whether the request took effect is unknown.
        if (error.status && (error.status >= 500 || error.status < 300)) answers += 1;
        if (!error.retryable || answers >= (options.maxErrorResponses ?? Infinity)) throw error;
        const delay = retryDelay(error.retryAfterMs, failures, ports.random);
        options.onWait?.(error, delay);
        await pause.wait(delay, signal);
      }
    }
  } finally {
    unwatch();
    unsubscribe();
  }
}

/** Interval of checks for a network in milliseconds, in case the browser sends no event. */
const offlineLook = 30_000;
