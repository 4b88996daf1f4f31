import type { Allowance } from '@inlay/protocol';
import type { InlayError } from '../errors.ts';

const spent: Readonly<Record<string, string>> = {
  EMBED_BUDGET_EXCEEDED: 'session',
  EMBED_QUOTA_EXCEEDED: 'day',
};

/** What a refusal says about what is used up, and when it begins anew. `now` in milliseconds. */
export function allowanceOf({ code, retryAfterMs }: InlayError, now: number): Allowance | null {
  const type = spent[code];
  if (type === undefined) return null;
  const resets_at = retryAfterMs === null ? null : new Date(now + retryAfterMs).toISOString();
  return { type, used: 1, resets_at };
}
