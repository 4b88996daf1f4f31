import { InlayError } from '../errors.ts';
import type { Ports } from '../ports.ts';
import { type DualTime, dualNow, elapsedMs, remainingMs } from '../wait.ts';
import type { TokenGrant } from './token-source.ts';

/** Code of a token that has expired. */
export const expiredCode = 'EMBED_TOKEN_EXPIRED';

const second = 1000;
const minute = 60 * second;

/** Minimum time between the start of two requests to the token source, in milliseconds. */
export const minRefreshInterval = 5 * second;

/** Maximum length of a token, in characters. */
const maxTokenLength = 16_384;

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

/** Errors caused by a defect of the host page, which retries alone don't fix. */
export const hostErrors = new WeakSet<InlayError>();

/**
 * Reads the result of a token source.
 *
 * @returns Null if the source denied access (null or undefined).
 * @throws {InlayError} `INVALID_TOKEN_FROM_HOST` if there is no token that can be sent in a header, or
 *   `expires_at` is not a date. The message names the fault, but never the value.
 */
export function readGrant(value: unknown): TokenGrant | null {
  if (value === null || value === undefined) return null;
  const fields: Record<string, unknown> =
    typeof value === 'object' ? { ...value } : { token: value };
  const { token, expires_at } = fields;
  if (typeof token !== 'string') {
    throw invalidTokenError(
      `it is of type ${typeof token}: return a string, or { token, expires_at }`,
    );
  }
  if (/^(?:undefined|null)?$/.test(token)) {
    throw invalidTokenError(`it is the string "${token}". To deny access, return null`);
  }
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > maxTokenLength) {
    throw invalidTokenError(
      `it has more than ${maxTokenLength} characters, or characters that are not visible ASCII`,
    );
  }
  if (expires_at === undefined || expires_at === null) return { token };
  if (typeof expires_at !== 'string' || Number.isNaN(Date.parse(expires_at))) {
    throw invalidTokenError('its expires_at is not a date');
  }
  return { token, expires_at };
}

function invalidTokenError(fault: string): InlayError {
  const error = new InlayError(
    'INVALID_TOKEN_FROM_HOST',
    `getToken returned something that is not a token: ${fault}.`,
    { retryable: true },
  );
  hostErrors.add(error);
  return error;
}
