import type { CallLimits } from '../config/embed-policy.ts';

/** Limits the requests of subjects such as an API key or an end user. */
export interface Limiter {
  /** Admits or rejects a request, by the rate of the last second and by the requests in progress. */
  admit(subject: string, limits: CallLimits): Promise<Admission>;
  /** Admits and counts an event, unless the sliding window already has `maximum` events. */
  allow(subject: string, limit: { maximum: number; windowMs: number }): Promise<WindowDecision>;
  /**
   * Counts an amount, such as tokens, unless the sliding window would then exceed `maximum`. The
   * window is counted in 60 parts: the amounts of a part expire together, when the last of them has
   * left the window. A negative amount is always counted: it reduces the amount in the window.
   */
  take(subject: string, amount: number, window: AmountWindow): Promise<AmountDecision>;
}

/** A limit of the total amount in a sliding window. */
export interface AmountWindow {
  maximum: number;
  /** Length of the window in milliseconds. */
  windowMs: number;
}

/** The decision of `take`. */
export interface AmountDecision {
  allowed: boolean;
  /** The amount in the window, including this one if it is allowed. */
  current: number;
}

/** Number of parts that `take` divides a window into. */
export const partsOfWindow = 60;

/** The decision about a request, with the numbers for the rate limit headers. */
export interface Admission {
  /** The exceeded limit; null if admitted. A rejected request is not counted. */
  refused: 'rate' | 'concurrency' | null;
  /** Maximum requests per second. */
  limit: number;
  /** Requests that are still allowed in this second. */
  remaining: number;
  /** Milliseconds until the oldest counted request expires. */
  resetMs: number;
  /** Ends the request, which is then no longer in progress. Idempotent; not needed after a rejection. */
  release: () => void;
}

/** The decision of `allow`. */
export interface WindowDecision {
  allowed: boolean;
  /** Milliseconds until another event is allowed; 0 if this one was. */
  retryAfterMs: number;
}
