/**
 * How many items, from the first, fit into so many bytes together. The first one always does, so
 * that paging always advances.
 */
export function countWithin(sizes: readonly number[], bytes: number): number {
  let total = 0;
  const beyond = sizes.findIndex((size, at) => {
    total += size;
    return at > 0 && total > bytes;
  });
  return beyond < 0 ? sizes.length : beyond;
}
