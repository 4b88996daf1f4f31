/** Pseudo-random numbers that are the same for the same seed on every machine. */
export interface Random {
  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number;
}

/** Mulberry32, a generator with 32 bits of state. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    between(low, high) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
      return low + Math.floor(fraction * (high - low + 1));
    },
  };
}

/** FNV-1a over the code units of a text. */
export function hashText(text: string, start = 0): number {
  let hash = (0x811c9dc5 ^ start) >>> 0;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
