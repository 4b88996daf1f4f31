import type { InlayError } from './errors.ts';
import type { Ports } from './ports.ts';

/** Maximum backoff, in milliseconds. A `Retry-After` delay can be longer. */
const maxBackoff = 30_000;

/**
 * Exponential backoff with full jitter, which spreads the reconnects of all clients of a failed
 * server. After `failures` consecutive failures the wait is up to `base * 2^(failures - 1)`
 * milliseconds, between 1 ms (so that a loop never blocks the page) and 30 s.
 */
function fullJitter(failures: number, random: () => number, base = 500): number {
  return Math.max(1, Math.round(random() * Math.min(maxBackoff, base * 2 ** (failures - 1))));
}

/** Maximum jitter added to a `Retry-After` delay, in milliseconds. */
const retryAfterJitter = 1_000;

/**
 * Returns the wait before the next attempt, in milliseconds: at least `retryAfterMs`, plus up to a
 * second, so that clients with the same `Retry-After` don't reconnect together.
 */
export function retryDelay(
  retryAfterMs: number | null,
  failures: number,
  random: () => number,
  base?: number,
): number {
  const delay = fullJitter(failures, random, base);
  return retryAfterMs === null
    ? delay
    : Math.max(delay, retryAfterMs + Math.round(random() * retryAfterJitter));
}

/** `Retry-After` delay in milliseconds above which the end of the wait is shown to the user. */
const longWait = 60_000;

/**
 * Returns the end of a wait of `delay` milliseconds from now, in milliseconds since the epoch by the
 * browser's clock, if `Retry-After` is more than a minute; otherwise null.
 */
export function longWaitEnd(
  error: InlayError | null,
  delay: number,
  { clock }: Pick<Ports, 'clock'>,
): number | null {
  return (error?.retryAfterMs ?? 0) > longWait ? clock.now() + delay : null;
}
