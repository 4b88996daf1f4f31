import { waitFor } from './backoff.ts';
import type { Contact } from './contact.ts';
import { asInlayError, type InlayError } from './errors.ts';
import type { Ports } from './ports.ts';
import type { TokenManager } from './tokens/token-manager.ts';
import { waitForAuth } from './tokens/wait-for-auth.ts';
import { abortError, Pause } from './wait.ts';

export interface RetryOptions {
  readonly ports: Ports;
  readonly contact: Contact;
  readonly tokens: TokenManager;
  readonly signal: AbortSignal;
  /** Whether a denial is waited out, until the person may talk again. Default: no. */
  readonly outlastDenial?: boolean;
  /** How many answers of a failing server are borne before it is given up; without end by default. */
  readonly toleratedAnswers?: number;
  /** Called before each wait: for a network, or for `delay` milliseconds. */
  readonly onWait?: (error: InlayError | null, delay: number) => void;
  /** Used for the waits, so that the caller can end one early. */
  readonly pause?: Pause;
}

/**
 * Does something until it succeeds: waits while there is no network, backs off with full jitter,
 * waits as long as the platform asks. Rejects for what no repeat can mend.
 */
export async function retry<Value>(
  work: () => Promise<Value>,
  options: RetryOptions,
): Promise<Value> {
  const { ports, tokens, contact, signal, pause = new Pause(ports.clock) } = options;
  let failures = 0;
  /** Why it waits; null where there is no network. */
  let reason: InlayError | null = null;
  const retryNow = () => {
    failures = 0;
    pause.wake();
  };
  const unwatch = ports.page.watch((change) => {
    const back = change === 'online' || change === 'restored';
    // A wait that the platform asked for is not cut short.
    if (back && !reason?.retryAfterMs) retryNow();
  });
  const unsubscribe = contact.subscribe(() => {
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
          // Only the person can change it: no time does.
          if (!options.outlastDenial) throw error;
          await waitForAuth(tokens, signal);
          continue;
        }
        reason = error;
        failures += 1;
        // Also an answer of unknown shape: whether the request took effect is unknown.
        if (error.status && (error.status >= 500 || error.status < 300)) answers += 1;
        if (!error.retryable || answers >= (options.toleratedAnswers ?? Infinity)) throw error;
        const delay = waitFor(error.retryAfterMs, failures, ports.random);
        options.onWait?.(error, delay);
        await pause.wait(delay, signal);
      }
    }
  } finally {
    unwatch();
    unsubscribe();
  }
}

/** How often the browser is asked whether there is a network, should it not tell. */
const offlineLook = 30_000;
