import { type DualTime, dualNow, elapsedMs, remainingMs } from '../dual-clock.ts';
import { InlayError } from '../errors.ts';
import type { Ports } from '../ports.ts';
import type { TokenGrant } from './token-source.ts';

const second = 1000;
const minute = 60 * second;

/** Shortest time between the start of two requests to the token source, in milliseconds. */
export const refreshFloor = 5 * second;

/** Longest token that is accepted, in characters. */
const longest = 16_384;

/**
 * A token in memory with its age. Expiry is counted from its receipt; the browser's clock, which may
 * be wrong, is not compared with the platform's.
 */
export class Token {
  /** The secret, for the `Authorization` header and comparison with other tokens only. */
  readonly value: string;
  readonly #ports: Ports;
  readonly #obtained: DualTime;
  #received: DualTime | null = null;
  #lifetimetime = 0;
  #refreshAfter = 0;

  constructor(value: string, ports: Ports) {
    this.value = value;
    this.#ports = ports;
    this.#obtained = dualNow(ports.clock);
  }

  /** Milliseconds since it was obtained. */
  get age(): number {
    return elapsedMs(this.#obtained, this.#ports.clock);
  }

  /**
   * Sets its lifetime.
   *
   * @param lifetime Milliseconds, counted from `from`.
   * @throws {InlayError} `EMBED_TOKEN_EXPIRED` for a lifetime that is over.
   */
  setLifetime(lifetime: number, from: DualTime): void {
    if (lifetime <= 0) {
      throw new InlayError(
        'EMBED_TOKEN_EXPIRED',
        'getToken gave a token that has expired. Let your backend issue a new one on every call.',
        { retryable: true },
      );
    }
    this.#received = from;
    this.#lifetimetime = lifetime;
    // Timers take whole milliseconds: a fraction would fire again and again.
    this.#refreshAfter = Math.floor(
      Math.max(refreshFloor, refreshPoint(lifetime, this.#ports.random)),
    );
  }

  /** Whether it has expired. False while its lifetime is unknown: then the platform decides. */
  get expired(): boolean {
    return this.#remainingMs(this.#lifetimetime) === 0;
  }

  /** Milliseconds until it should be replaced; `Infinity` while its lifetime is unknown. */
  get untilRefresh(): number {
    return this.#remainingMs(this.#refreshAfter);
  }

  #remainingMs(span: number): number {
    return this.#received ? remainingMs(this.#received, span, this.#ports.clock) : Infinity;
  }
}

/**
 * When a token is replaced, in milliseconds after its receipt, for a lifetime in milliseconds:
 * halfway for lifetimes under two minutes, at 80 % or a minute before the end for longer ones, and
 * five to ten minutes before the end for those over fifty. Up to a tenth is subtracted at random, so
 * that tabs and pages of one host don't refresh at the same time.
 */
export function refreshPoint(lifetime: number, random: () => number): number {
  if (lifetime > 50 * minute) return lifetime - (5 + 5 * random()) * minute;
  const point = lifetime < 2 * minute ? lifetime / 2 : Math.min(0.8 * lifetime, lifetime - minute);
  return point * (1 - 0.1 * random());
}

/** Errors that are a defect of the host's own code, which retries alone don't fix. */
export const hostFaults = new WeakSet<InlayError>();

/**
 * Reads what a token source returned.
 *
 * @returns Null for a rejection (null or undefined).
 * @throws {InlayError} `INVALID_TOKEN_FROM_HOST` for a value that no header can carry. The message
 *   names the fault and the remedy, never the value.
 */
export function readGrant(value: unknown): TokenGrant | null {
  if (value === null || value === undefined) return null;
  const fields: Record<string, unknown> =
    typeof value === 'object' ? { ...value } : { token: value };
  const { token, expires_at } = fields;
  if (typeof token !== 'string') {
    throw invalid(`it is of type ${typeof token}: return a string, or { token, expires_at }`);
  }
  if (/^(?:undefined|null)?$/.test(token)) {
    throw invalid(`it is the text "${token}". To refuse, return null`);
  }
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > longest) {
    throw invalid(`it has more than ${longest} characters, or others than visible ASCII`);
  }
  if (expires_at === undefined || expires_at === null) return { token };
  if (typeof expires_at !== 'string' || Number.isNaN(Date.parse(expires_at))) {
    throw invalid('its expires_at is no date');
  }
  return { token, expires_at };
}

function invalid(fault: string): InlayError {
  const error = new InlayError(
    'INVALID_TOKEN_FROM_HOST',
    `getToken gave something that is not a token: ${fault}.`,
    { retryable: true },
  );
  hostFaults.add(error);
  return error;
}
