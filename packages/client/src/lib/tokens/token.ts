import { InlayError } from '../errors.ts';
import type { Ports } from '../ports.ts';
import { type DualTime, dualNow, elapsedMs, remainingMs } from '../wait.ts';

/** Code of a token that has expired. */
export const expiredCode = 'EMBED_TOKEN_EXPIRED';

const second = 1000;
const minute = 60 * second;

/** Minimum time between the start of two requests to the token source, in milliseconds. */
export const minRefreshInterval = 5 * second;

/**
 * A token in memory. Its lifetime is counted from its receipt, because the browser's clock may be wrong
 * and can't be compared with the platform's.
 */
export class Token {
  /** The secret. Used only for the `Authorization` header and for comparison with other tokens. */
  readonly value: string;
  readonly #ports: Ports;
  readonly #createdAt: DualTime;
  #lifetimeStart: DualTime | null = null;
  #lifetime = 0;
  #refreshAfter = 0;

  constructor(value: string, ports: Ports) {
    this.value = value;
    this.#ports = ports;
    this.#createdAt = dualNow(ports.clock);
  }

  /** Milliseconds since it was received from the source. */
  get age(): number {
    return elapsedMs(this.#createdAt, this.#ports.clock);
  }

  /**
   * Sets its lifetime.
   *
   * @param lifetime Milliseconds from `start`.
   * @throws {InlayError} `EMBED_TOKEN_EXPIRED` if `lifetime` is not positive.
   */
  setLifetime(lifetime: number, start: DualTime): void {
    if (lifetime <= 0) {
      throw new InlayError(
        expiredCode,
        'getToken returned a token that has expired. Let your backend issue a new one on every call.',
        { retryable: true },
      );
    }
    this.#lifetimeStart = start;
    this.#lifetime = lifetime;
    // Timers need whole milliseconds: with a fraction, they would fire early and repeatedly.
    this.#refreshAfter = Math.floor(
      Math.max(minRefreshInterval, refreshPoint(lifetime, this.#ports.random)),
    );
  }

  /** Whether it has expired; false while its lifetime is unknown. */
  get expired(): boolean {
    return this.#remainingMs(this.#lifetime) === 0;
  }

  /** Milliseconds until it should be replaced; `Infinity` while its lifetime is unknown. */
  get untilRefresh(): number {
    return this.#remainingMs(this.#refreshAfter);
  }

  #remainingMs(duration: number): number {
    return this.#lifetimeStart
      ? remainingMs(this.#lifetimeStart, duration, this.#ports.clock)
      : Infinity;
  }
}

/**
 * Returns when a token should be replaced, in milliseconds after its receipt:
 * - with a lifetime under 2 minutes: after half of it
 * - up to 50 minutes: after 80 % of it or a minute before its end, whichever is earlier
 * - over 50 minutes: 5 to 10 minutes before its end
 *
 * The time is random, so that tabs and pages don't refresh at the same time. In the first two cases, it
 * is up to a tenth earlier.
 *
 * @param lifetime In milliseconds.
 */
export function refreshPoint(lifetime: number, random: () => number): number {
  if (lifetime > 50 * minute) return lifetime - (5 + 5 * random()) * minute;
  const point = lifetime < 2 * minute ? lifetime / 2 : Math.min(0.8 * lifetime, lifetime - minute);
  return point * (1 - 0.1 * random());
}
