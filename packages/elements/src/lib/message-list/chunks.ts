/** How many entries stand together. What is settled is compared, drawn and skipped by the chunk. */
export const chunkSize = 24;

/**
 * Cuts a list into chunks. A chunk in which nothing changed is the very object it was, so that a
 * token that arrives costs a pointer comparison for each settled entry, and nothing else.
 */
export function chunksOf<Item>(
  items: readonly Item[],
  before: readonly (readonly Item[])[],
): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / chunkSize);
  return Array.from({ length: count }, (_, index) => {
    const start = index * chunkSize;
    const length = Math.min(chunkSize, items.length - start);
    const old = before[index];
    const same = old?.length === length && old.every((item, at) => item === items[start + at]);
    return same ? old : items.slice(start, start + length);
  });
}
