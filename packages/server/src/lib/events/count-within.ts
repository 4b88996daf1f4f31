/**
 * Counts the leading items whose sizes add up to at most `bytes`. The first item always counts, so
 * that paging makes progress.
 */
export function countWithin(sizes: readonly number[], bytes: number): number {
  let total = 0;
  const firstBeyond = sizes.findIndex((size, index) => {
    total += size;
    return index > 0 && total > bytes;
  });
  return firstBeyond < 0 ? sizes.length : firstBeyond;
}
