import type { Allowance } from '@inlay/protocol';

/** Minimum used share of a quota that is shown, from 0 to 1. */
const threshold = 0.8;

/** Returns the most used quota; null while all are below the threshold. */
export function mostUsedQuota(allowances: readonly Allowance[]): Allowance | null {
  const [first] = allowances
    .filter(({ used }) => used >= threshold)
    .sort((a, b) => b.used - a.used);
  return first ?? null;
}
