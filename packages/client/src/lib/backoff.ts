import type { InlayError } from './errors.ts';
import type { Ports } from './ports.ts';

const longest = 30_000;

/**
 * Exponential backoff with full jitter, which spreads the clients of a failed server. After `failures`
 * consecutive failures the wait is up to `base * 2^(failures - 1)` milliseconds, between 1 ms (so that
 * a loop never blocks the page) and 30 s.
 */
function fullJitter(failures: number, random: () => number, base = 500): number {
  return Math.max(1, Math.round(random() * Math.min(longest, base * 2 ** (failures - 1))));
}

/** Jitter that is added to a wait that the platform asks for, in milliseconds. */
const spread = 1_000;

/**
 * Returns the wait before the next attempt, in milliseconds: at least `asked`, plus up to a second, so
 * that clients with the same `Retry-After` don't return together.
 */
export function waitFor(
  asked: number | null,
  failures: number,
  random: () => number,
  base?: number,
): number {
  const delay = fullJitter(failures, random, base);
  return asked === null ? delay : Math.max(delay, asked + Math.round(random() * spread));
}

/** Longest wait without a time shown to the user, in milliseconds. */
const longWait = 60_000;

/**
 * Returns the end of a wait of `delay` milliseconds from now, in milliseconds since the epoch by the
 * browser's clock, if the platform asked for more than a minute; otherwise null.
 */
export function longWaitEnd(
  error: InlayError | null,
  delay: number,
  { clock }: Pick<Ports, 'clock'>,
): number | null {
  return (error?.retryAfterMs ?? 0) > longWait ? clock.now() + delay : null;
}
