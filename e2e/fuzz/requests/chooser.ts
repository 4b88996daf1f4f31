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
  const between = createRandom(seed);
  return {
    between,
    percent: (share) => between(1, 100) <= share,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    pickAny: (items) => items[between(0, items.length - 1)],
  };
}

/** Returns a function that draws integers from `low` to `high`, inclusive (Mulberry32). */
function createRandom(seed: number): (low: number, high: number) => number {
  let state = seed >>> 0;
  return (low, high) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return low + Math.floor(fraction * (high - low + 1));
  };
}
