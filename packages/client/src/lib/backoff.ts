const longest = 30_000;

/**
 * How long to wait before the next attempt: full jitter, which spreads the clients of a failed
 * server best. The `failures`-th failure in a row waits up to `base * 2^(failures - 1)`
 * milliseconds, and never longer than half a minute. It waits at least for one: a loop that fails
 * at once must let the page breathe.
 */
export function fullJitter(failures: number, random: () => number, base = 500): number {
  return Math.max(1, Math.round(random() * Math.min(longest, base * 2 ** (failures - 1))));
}
