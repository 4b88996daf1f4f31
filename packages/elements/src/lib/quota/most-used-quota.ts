import type { Allowance } from '@inlay/protocol';

/** Minimum used share of a quota that is shown, from 0 to 1. */
const minShownShare = 0.8;

/** Returns the most used quota; null if none reaches the minimum share. */
export function mostUsedQuota(allowances: readonly Allowance[]): Allowance | null {
  const [first] = allowances
    .filter(({ used }) => used >= minShownShare)
    .sort((a, b) => b.used - a.used);
  return first ?? null;
}
