import type { Allowance } from '@inlay/protocol';

/** Minimum used share of a quota that is shown, from 0 to 1. */
const minShownShare = 0.8;

/** Returns the quotas that have not been reset since they were reported. */
export function currentQuotas(allowances: readonly Allowance[]): Allowance[] {
  return allowances.filter(({ resets_at }) => !(Date.parse(resets_at ?? '') <= Date.now()));
}

/** Returns the most used quota; null if none reaches the minimum share. */
export function mostUsedQuota(allowances: readonly Allowance[]): Allowance | null {
  const [first] = allowances
    .filter(({ used }) => used >= minShownShare)
    .sort((a, b) => b.used - a.used);
  return first ?? null;
}
