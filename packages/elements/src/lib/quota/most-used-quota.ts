import type { Allowance } from '@inlay/protocol';

/** Used share from which a quota is shown. */
const threshold = 0.8;

/** Returns the most used quota; null while all are below the threshold. */
export function mostUsedQuota(allowances: readonly Allowance[]): Allowance | null {
  const [first] = allowances
    .filter(({ used }) => used >= threshold)
    .sort((a, b) => b.used - a.used);
  return first ?? null;
}
