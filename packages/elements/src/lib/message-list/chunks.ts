/** How many entries stand together. What is settled is compared, drawn and skipped by the chunk. */
export const chunkSize = 24;

interface Keyed {
  readonly key: string;
}

type Chunks<Item> = readonly (readonly Item[])[];

/**
 * Cuts a list into chunks. A chunk in which nothing changed is the very object it was, so that a
 * token that arrives costs a pointer comparison for each settled entry, and nothing else. Entries
 * of the past, put in front, make chunks of their own, so that those on screen stay what they are.
 */
export function chunksOf<Item extends Keyed>(
  items: readonly Item[],
  before: Chunks<Item>,
): Chunks<Item> {
  const anchor = before[0]?.[0]?.key;
  const start = anchor === undefined ? -1 : items.findIndex(({ key }) => key === anchor);
  if (start === -1) return cut(items, 0, items.length);

  const chunks = [...cut(items, 0, start)];
  let at = start;
  for (const [index, old] of before.entries()) {
    const length = index === before.length - 1 ? chunkSize : old.length;
    const end = Math.min(at + length, items.length);
    if (end === at) break;
    chunks.push(reuse(old, items, at, end));
    at = end;
  }
  return [...chunks, ...cut(items, at, items.length)];
}

function cut<Item>(items: readonly Item[], start: number, end: number): Chunks<Item> {
  const count = Math.ceil((end - start) / chunkSize);
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * chunkSize;
    return items.slice(at, Math.min(at + chunkSize, end));
  });
}

function reuse<Item>(old: readonly Item[], items: readonly Item[], start: number, end: number) {
  const same =
    old.length === end - start && old.every((item, index) => item === items[start + index]);
  return same ? old : items.slice(start, end);
}
