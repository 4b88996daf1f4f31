import type { Allowance } from '@inlay/protocol';

/** How much has to be used up before it is worth a word. */
const near = 0.8;

/** The allowance that is nearest to its end, where it is near; null while there is plenty of all. */
export function mostUsedQuota(allowances: readonly Allowance[]): Allowance | null {
  const [first] = allowances.filter(({ used }) => used >= near).sort((a, b) => b.used - a.used);
  return first ?? null;
}
