/** The median. For an even count, the mean of the two middle values. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/**
 * A percentile, with linear interpolation between the nearest ranks.
 *
 * @param share - From 0 to 1.
 */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('No values: nothing was measured.');
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? Number.NaN;
  return below + (above - below) * (rank - Math.floor(rank));
}

/** The maximum. `Math.max(...values)` would overflow the stack for long lists. */
export function largest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
