/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Linear between the two nearest ranks. `share` from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('No values: nothing was measured.');
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? Number.NaN;
  return below + (above - below) * (rank - Math.floor(rank));
}

/** The largest of many; `Math.max(...values)` overflows the stack on long lists. */
export function largest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
