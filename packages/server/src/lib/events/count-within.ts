/**
 * Counts the leading items whose sizes add up to at most `bytes`. The first item always counts, so
 * that paging makes progress.
 */
export function countWithin(sizes: readonly number[], bytes: number): number {
  let total = 0;
  const beyond = sizes.findIndex((size, at) => {
    total += size;
    return at > 0 && total > bytes;
  });
  return beyond < 0 ? sizes.length : beyond;
}
