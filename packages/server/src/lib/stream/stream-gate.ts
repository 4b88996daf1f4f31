import type { Clock } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Random } from '../random.ts';

/** Maximum `Retry-After` in seconds; the minimum is 1. */
const maxRetryAfter = 10;

/** Length of the rate limit's window in milliseconds. */
const windowMs = 1000;
/** Additional streams per second for users who opened few, as a share of the limit. */
const reserve = 0.5;

/** The end user and the address that open a stream. */
export interface Opener {
  /** Identifies one end user of one agent. */
  readonly user: string;
  /** Network address of the client. */
  readonly source: string;
}

/**
 * Rate limit for new streams; rejects all of them while the server stops. It protects existing
 * streams when the clients of a failed process reconnect here together.
 *
 * Above the limit, users and source addresses that opened less than an even share may open streams
 * up to 1.5 times the limit, so that one client cannot lock out the others.
 */
export class StreamGate {
  readonly #random: Random;
  readonly #perSecond: number;
  readonly #clock: Clock;
  /** Streams opened within the window, in this process only: the limit protects this process. */
  #opened: { at: number; opener: Opener }[] = [];
  #isOpen = true;

  constructor({ clock, random }: { clock: Clock; random: Random }, perSecond: number) {
    this.#random = random;
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /**
   * Admits and counts a new stream.
   *
   * @throws `SERVICE_UNAVAILABLE` if the limit is exceeded or the server is stopping.
   */
  enter(opener: Opener): void {
    this.requireOpen();
    const at = this.#clock.now();
    // The clock was set back: later entries would be counted until the clock has caught up.
    if ((this.#opened.at(-1)?.at ?? at) > at) {
      this.#opened = this.#opened.map((entry) => ({ ...entry, at: Math.min(entry.at, at) }));
    }
    const firstOfWindow = this.#opened.findIndex((entry) => entry.at > at - windowMs);
    this.#opened = firstOfWindow < 0 ? [] : this.#opened.slice(firstOfWindow);
    const isAboveLimit = this.#opened.length >= this.#perSecond;
    if (isAboveLimit && !this.#mayUseReserve(opener)) {
      throw this.#unavailable('Too many streams are being opened.');
    }
    this.#opened.push({ at, opener });
  }

  #mayUseReserve({ user, source }: Opener): boolean {
    if (this.#opened.length >= this.#perSecond * (1 + reserve)) return false;
    const users = this.#opened.map(({ opener }) => opener.user);
    const sources = this.#opened.map(({ opener }) => opener.source);
    return (
      this.#hasLessThanShare(user, users) &&
      // Behind a proxy that is not in `trusted_proxies`, all requests have the same address.
      (new Set(sources).size === 1 || this.#hasLessThanShare(source, sources))
    );
  }

  #hasLessThanShare(name: string, names: readonly string[]): boolean {
    const share = Math.max(1, this.#perSecond / new Set([...names, name]).size);
    return names.filter((other) => other === name).length < share;
  }

  /** @throws `SERVICE_UNAVAILABLE` if the server is stopping. */
  requireOpen(): void {
    if (!this.#isOpen) throw this.#unavailable('This server is shutting down.');
  }

  /** Rejects all further streams. */
  close(): void {
    this.#isOpen = false;
  }

  /** Creates an error with a random `Retry-After`, so that clients do not all retry together. */
  #unavailable(detail: string): ApiError {
    const [byte = 0] = this.#random.bytes(1);
    const retryAfter = 1 + Math.floor((byte / 256) * maxRetryAfter);
    return new ApiError('SERVICE_UNAVAILABLE', `${detail} Retry after \`retry-after\` seconds.`, {
      retryAfter,
    });
  }
}
