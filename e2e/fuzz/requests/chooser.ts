import { createRandom } from '../../replay/stream/random.ts';

/** Chance that is the same for the same seed. */
export interface Chooser {
  /** True in so many of a hundred cases. */
  percent(share: number): boolean;
  between(low: number, high: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** One of a list that may be empty. */
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
