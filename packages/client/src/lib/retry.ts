import { retryDelay } from './backoff.ts';
import type { DiagnosticListener } from './diagnostics.ts';
import { asInlayError, type InlayError, isTemporary } from './errors.ts';
import type { Ports } from './ports.ts';
import type { Reachability } from './reachability.ts';
import type { TokenManager } from './tokens/token-manager.ts';
import { abortError, onAbort, Pause } from './wait.ts';

export interface RetryOptions {
  readonly ports: Ports;
  readonly reachability: Reachability;
  readonly tokens: TokenManager;
  readonly signal: AbortSignal;
  readonly onDiagnostic: DiagnosticListener;
  /**
   * Whether to wait until access is granted and the platform itself responds, instead of failing when
   * access is denied or a proxy responds.
   *
   * @default false
   */
  readonly retryWhileDenied?: boolean;
  /**
   * Number of 5xx or unreadable responses after which the call fails.
   *
   * @default Infinity
   */
  readonly maxErrorResponses?: number;
  /** Called before each wait of `delay` milliseconds. While offline, `error` is null and `delay` is 0. */
  readonly onWait?: (error: InlayError | null, delay: number) => void;
  /** Used for the waits, so that the caller can end a wait early. */
  readonly pause?: Pause;
}

/**
 * Retries `action` until it succeeds. It waits with exponential backoff, for at least the `Retry-After` of
 * the platform, and while offline. Rejects with errors that are not retryable, and with an
 * `UNEXPECTED_ERROR` for any exception that is not an `InlayError`.
 */
export async function retry<Value>(
  action: () => Promise<Value>,
  options: RetryOptions,
): Promise<Value> {
  const { ports, tokens, reachability, signal, pause = new Pause(ports.clock) } = options;
  let failures = 0;
  /** The error after which it is waiting; null while offline. */
  let reason: InlayError | null = null;
  const retryNow = () => {
    failures = 0;
    pause.wake();
  };
  const unsubscribePage = ports.page.watch((change) => {
    const isBack = change === 'online' || change === 'restored';
    // A wait that the platform requested is not ended.
    if (isBack && !reason?.retryAfterMs) retryNow();
  });
  const unsubscribe = reachability.subscribe(() => {
    if (!reason?.retryAfterMs && reason?.status == null) retryNow();
  });
  let errorResponses = 0;
  try {
    for (;;) {
      while (!ports.page.online() && !signal.aborted) {
        reason = null;
        options.onWait?.(null, 0);
        await pause.wait(offlineCheckInterval, signal);
      }
      if (signal.aborted) throw abortError(signal);
      try {
        return await action();
      } catch (cause) {
        if (signal.aborted) throw abortError(signal);
        const error = asInlayError(cause, options.onDiagnostic);
        if (tokens.ended) {
          if (!options.retryWhileDenied) throw error;
          await waitForAuth(tokens, signal);
          continue;
        }
        reason = error;
        failures += 1;
        // Includes an unreadable 2xx response: whether the request took effect is unknown.
        if (error.status && (error.status >= 500 || error.status < 300)) errorResponses += 1;
        const canRetry = options.retryWhileDenied ? isTemporary(error) : error.retryable;
        if (!canRetry || errorResponses >= (options.maxErrorResponses ?? Infinity)) throw error;
        const delay = retryDelay(error.retryAfterMs, failures, ports.random);
        options.onWait?.(error, delay);
        await pause.wait(delay, signal);
      }
    }
  } finally {
    unsubscribePage();
    unsubscribe();
  }
}

/** How often a network is checked for while offline, in milliseconds, in case the browser fires no event. */
const offlineCheckInterval = 30_000;

/** Resolves when access is no longer denied, or immediately for an aborted signal. */
export function waitForAuth(tokens: TokenManager, signal: AbortSignal): Promise<void> {
  const isWaiting = () => tokens.ended && !signal.aborted;
  if (!isWaiting()) return Promise.resolve();
  return new Promise((resolve) => {
    const check = () => {
      if (isWaiting()) return;
      unsubscribe();
      removeAbortListener();
      resolve();
    };
    const unsubscribe = tokens.subscribe(check);
    const removeAbortListener = onAbort(signal, check);
  });
}
