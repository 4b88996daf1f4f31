const longest = 30_000;

/**
 * How long to wait before the next attempt: full jitter, which spreads the clients of a failed
 * server best. The `failures`-th failure in a row waits up to `base * 2^(failures - 1)`
 * milliseconds, and never longer than half a minute.
 */
export function fullJitter(failures: number, random: () => number, base = 500): number {
  return Math.round(random() * Math.min(longest, base * 2 ** (failures - 1)));
}
