import { createInProcessLimiter } from '../limits/in-process-limiter.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { ApiError } from '../problems/api-error.ts';

/** Longest that somebody is told to stay away, in seconds; the shortest is 1. */
const longestAway = 10;

/**
 * Lets new streams in: so many a second, and none while the server stops. When another process dies,
 * its clients come here together; those who are here already must not suffer from it.
 */
export class StreamGate {
  readonly #random: Random;
  readonly #perSecond: number;
  /** Of its own: what one process can take has nothing to do with what others do. */
  readonly #limiter: Limiter;
  #isOpen = true;

  constructor({ clock, random }: { clock: Clock; random: Random }, perSecond: number) {
    this.#random = random;
    this.#perSecond = perSecond;
    this.#limiter = createInProcessLimiter(clock);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Throws `SERVICE_UNAVAILABLE` where too many came within a second, or the server stops. */
  async enter(): Promise<void> {
    this.requireOpen();
    const { allowed } = await this.#limiter.allow('streams', {
      most: this.#perSecond,
      windowMs: 1000,
    });
    if (!allowed) throw this.#comeBack('Too many streams are being opened here just now.');
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
