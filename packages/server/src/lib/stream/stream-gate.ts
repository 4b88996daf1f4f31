import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { ApiError } from '../problems/api-error.ts';

/** Longest that somebody is told to stay away, in seconds; the shortest is 1. */
const longestAway = 10;

/** Milliseconds for which a stream that was opened counts. */
const windowMs = 1000;
/** Streams beyond the limit, as a share of it, that are kept for those who opened few. */
const reserve = 0.5;

/** The caller who opens a stream. */
export interface Opener {
  /** One end user of one agent. */
  readonly user: string;
  /** The network address. */
  readonly source: string;
}

/**
 * Lets new streams in: so many a second, and none while the server stops. When another process dies,
 * its clients come here together; those who are here already must not suffer from it.
 *
 * Beyond the limit, half as many streams again may be opened by users and source addresses that opened less
 * than an even share of it. So a client that opens streams all the time cannot keep others out.
 */
export class StreamGate {
  readonly #random: Random;
  readonly #perSecond: number;
  readonly #clock: Clock;
  /** Of this process alone: what it can take has nothing to do with what others do. */
  #opened: { at: number; opener: Opener }[] = [];
  #isOpen = true;

  constructor({ clock, random }: { clock: Clock; random: Random }, perSecond: number) {
    this.#random = random;
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Throws `SERVICE_UNAVAILABLE` where too many came within a second, or the server stops. */
  enter(opener: Opener): void {
    this.requireOpen();
    const at = this.#clock.now();
    const firstOfWindow = this.#opened.findIndex((one) => one.at > at - windowMs);
    this.#opened = firstOfWindow < 0 ? [] : this.#opened.slice(firstOfWindow);
    const isBeyond = this.#opened.length >= this.#perSecond;
    if (isBeyond && !this.#mayUseReserve(opener)) {
      throw this.#comeBack('Too many streams are being opened here just now.');
    }
    this.#opened.push({ at, opener });
  }

  #mayUseReserve({ user, source }: Opener): boolean {
    if (this.#opened.length >= this.#perSecond * (1 + reserve)) return false;
    const users = this.#opened.map(({ opener }) => opener.user);
    const sources = this.#opened.map(({ opener }) => opener.source);
    return (
      this.#hasLessThanShare(user, users) &&
      // Behind a proxy that is not in `trusted_proxies`, all requests have one address.
      (new Set(sources).size === 1 || this.#hasLessThanShare(source, sources))
    );
  }

  #hasLessThanShare(name: string, names: readonly string[]): boolean {
    const share = Math.max(1, this.#perSecond / new Set([...names, name]).size);
    return names.filter((other) => other === name).length < share;
  }

  /** Throws `SERVICE_UNAVAILABLE` where the server stops: whatever began to wait would wait in vain. */
  requireOpen(): void {
    if (!this.#isOpen) throw this.#comeBack('This server is about to stop.');
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Each is sent away for another time, so that they do not come back together. */
  #comeBack(why: string): ApiError {
    const [byte = 0] = this.#random.bytes(1);
    const retryAfter = 1 + Math.floor((byte / 256) * longestAway);
    return new ApiError(
      'SERVICE_UNAVAILABLE',
      `${why} Come back after the seconds in \`retry-after\`.`,
      { retryAfter },
    );
  }
}
