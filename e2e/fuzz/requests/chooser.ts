import { createRandom } from '../../replay/stream/random.ts';

/** Random choices that are the same for the same seed. */
export interface Chooser {
  /** True with the given probability in percent. */
  percent(share: number): boolean;
  between(low: number, high: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** A random item, or undefined for an empty list. */
  pickAny<Item>(items: readonly Item[]): Item | undefined;
}

export function createChooser(seed: number): Chooser {
  const { between } = createRandom(seed);
  return {
    between,
    percent: (share) => between(1, 100) <= share,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    pickAny: (items) => items[between(0, items.length - 1)],
  };
}
