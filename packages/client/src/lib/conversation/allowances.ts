import type { Allowance } from '@inlay/protocol';
import type { InlayError } from '../errors.ts';

/** The type of the allowance that an error code reports as used up. */
const allowanceTypes: Readonly<Record<string, string>> = {
  EMBED_BUDGET_EXCEEDED: 'session',
  EMBED_QUOTA_EXCEEDED: 'day',
};

/**
 * Returns the allowance that an error reports as used up; null for other errors.
 *
 * @param now The current time, in milliseconds since the epoch.
 */
export function allowanceOf({ code, retryAfterMs }: InlayError, now: number): Allowance | null {
  const type = allowanceTypes[code];
  if (type === undefined) return null;
  const resets_at = retryAfterMs === null ? null : new Date(now + retryAfterMs).toISOString();
  return { type, used: 1, resets_at };
}
