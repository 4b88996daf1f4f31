import type { InlayError } from './errors.ts';
import type { Ports } from './ports.ts';

const longest = 30_000;

/**
 * How long to wait before the next attempt: full jitter, which spreads the clients of a failed
 * server best. The `failures`-th failure in a row waits up to `base * 2^(failures - 1)`
 * milliseconds, and never longer than half a minute. It waits at least for one: a loop that fails
 * at once must let the page breathe.
 */
function fullJitter(failures: number, random: () => number, base = 500): number {
  return Math.max(1, Math.round(random() * Math.min(longest, base * 2 ** (failures - 1))));
}

/** The most that is added to a wait that the platform asks for, in milliseconds. */
const spread = 1_000;

/**
 * How long to wait where the platform may have asked for `asked` milliseconds: never less, and up to
 * a second more, so that those who were told the same do not come back together.
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

/** Longest wait that is not shown to the user, in milliseconds. */
const longWait = 60_000;

/**
 * When a wait of `delay` milliseconds that begins now is over, in milliseconds since the epoch by
 * the browser's clock, where the platform asked for more than a minute; null for any other.
 */
export function longWaitEnd(
  error: InlayError | null,
  delay: number,
  { clock }: Pick<Ports, 'clock'>,
): number | null {
  return (error?.retryAfterMs ?? 0) > longWait ? clock.now() + delay : null;
}
