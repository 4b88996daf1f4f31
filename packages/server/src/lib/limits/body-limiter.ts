import type { Context } from 'hono';
import type { AppEnv } from '../http/env.ts';
import { networksOf, sourceOf } from '../http/source.ts';
import { ApiError } from '../problems/api-error.ts';

/** `Retry-After` in seconds when the limit is reached. */
const retryAfter = 2;

/** The bytes of one request that count against a limit. */
export interface LimitedBody {
  /**
   * Counts bytes, before or while they arrive.
   *
   * @throws ApiError `SERVICE_UNAVAILABLE` with `retry-after`, if the limit is reached.
   */
  take(bytes: number): void;
  /** Counts bytes like `take`. Returns false, and counts nothing, if the limit is reached. */
  tryTake(bytes: number): boolean;
  /** Stops counting the bytes of this body. Idempotent. */
  release(): void;
}

/**
 * Limits the total bytes that this process receives in request bodies, or reads as attachments for
 * model requests. All callers share the limit. Each owner of a body (API key, end user or
 * network) may use at most a quarter of it, so that a few callers cannot lock out the others. A single
 * body may be larger than a quarter.
 */
export class BodyLimiter {
  readonly #limit: number;
  readonly #refusal: string;
  #total = 0;
  readonly #bytesByOwner = new Map<string, number>();

  /** @param refusal Detail of the problem when the limit is reached. */
  constructor(limit: number, refusal: string) {
    this.#limit = limit;
    this.#refusal = refusal;
  }

  /**
   * Starts counting the bytes of a body.
   *
   * @param owners The result of `bodyOwners`.
   */
  open(owners: readonly string[]): LimitedBody {
    let bodyBytes = 0;
    const tryTake = (bytes: number) => {
      const isTooMuch = owners.some((owner) => {
        const bytesOfOwner = this.#bytesByOwner.get(owner) ?? 0;
        const isFirstBody = bytesOfOwner === bodyBytes;
        return !isFirstBody && bytesOfOwner + bytes > this.#limit / 4;
      });
      if (isTooMuch || this.#total + bytes > this.#limit) return false;
      bodyBytes += bytes;
      this.#total += bytes;
      this.#add(owners, bytes);
      return true;
    };
    return {
      take: (bytes) => {
        if (tryTake(bytes)) return;
        throw new ApiError('SERVICE_UNAVAILABLE', this.#refusal, { retryAfter });
      },
      tryTake,
      release: () => {
        this.#total -= bodyBytes;
        this.#add(owners, -bodyBytes);
        bodyBytes = 0;
      },
    };
  }

  #add(owners: readonly string[], bytes: number): void {
    for (const owner of owners) {
      const bytesOfOwner = (this.#bytesByOwner.get(owner) ?? 0) + bytes;
      if (bytesOfOwner > 0) this.#bytesByOwner.set(owner, bytesOfOwner);
      else this.#bytesByOwner.delete(owner);
    }
  }
}

/**
 * Returns the owners of a body: its API key; without an API key, the networks of its source and its end
 * user, if any.
 */
export function bodyOwners(c: Context<AppEnv>, trustedProxies: number): string[] {
  const caller = c.get('caller');
  if (caller?.kind === 'backend') return [`key:${caller.keyId}`];
  const networks = networksOf(sourceOf(c, trustedProxies)).map((network) => `source:${network}`);
  return caller ? [`user:${caller.agentId}:${caller.externalUserId}`, ...networks] : networks;
}
