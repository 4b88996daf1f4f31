import type { CallLimits } from '../config/embed-policy.ts';

/** Limits the requests of subjects such as an API key or an end user. */
export interface Limiter {
  /**
   * Admits or rejects a request, by the rate of the last second and by the requests in progress.
   */
  admit(subject: string, limits: CallLimits): Promise<Admission>;
  /** Admits and counts an event, unless the sliding window already has `maximum` events. */
  allow(subject: string, limit: { maximum: number; windowMs: number }): Promise<WindowDecision>;
}

/** The decision about a request, with the numbers for the rate limit headers. */
export interface Admission {
  /** The exceeded limit; null if admitted. A rejected request is not counted. */
  refused: 'rate' | 'concurrency' | null;
  limit: number;
  remaining: number;
  /** Milliseconds until the oldest counted request expires. */
  resetMs: number;
  /** Ends the request. Idempotent; not needed after a rejection. */
  release: () => void;
}

/** The decision of `allow`. */
export interface WindowDecision {
  allowed: boolean;
  /** Milliseconds until there is room again; 0 if there is room. */
  retryAfterMs: number;
}
