import type { CallLimits } from '../config/embed-policy.ts';

/** Counts requests, by whoever they count against. */
export interface Limiter {
  /** Asks for one request's place: in the last second, and among those under way. */
  begin(subject: string, limits: CallLimits): Promise<Admission>;
  /** Counts one more of something rare in a sliding window, unless it is full. */
  allow(subject: string, limit: { most: number; windowMs: number }): Promise<Allowance>;
}

/** The answer to a request's asking, with the numbers for its headers. */
export interface Admission {
  /** Why it was refused; null where it was let in. A refused request consumes nothing. */
  refused: 'rate' | 'concurrency' | null;
  limit: number;
  remaining: number;
  /** Milliseconds until the oldest counted request no longer counts. */
  resetMs: number;
  /** Frees the place among those under way. Twice is fine; needless after a refusal. */
  release: () => void;
}

export interface Allowance {
  allowed: boolean;
  /** Milliseconds until there is room again; 0 where there is. */
  retryAfterMs: number;
}
