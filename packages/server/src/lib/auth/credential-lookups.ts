import type { Clock } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';

/** Number of credentials that are remembered. A forgotten one is treated like a new one. */
const maximumKnown = 20_000;
/** Milliseconds for which a failed look-up counts. */
const windowMs = 1000;

/** Look-ups of one source whose result is not known in advance. */
interface Source {
  /** Times of the failed look-ups within the window, oldest first. */
  readonly failures: number[];
  inProgress: number;
  /** Look-ups that wait for the result of those in progress. */
  readonly waiting: (() => void)[];
}

/**
 * Limits the look-ups of credentials that may be made up, by source address, before the store is
 * queried. Otherwise, everyone could occupy the connections to the store without a credential.
 *
 * Only failed look-ups count, because many users can have the same source address. A credential that
 * was valid at its last look-up is looked up without a limit, so that users are not affected by others
 * at the same address. The limits apply to this process, whose connections they protect.
 */
export class CredentialLookups {
  readonly #clock: Clock;
  readonly #maximumFailures: number;
  /** Whether a credential was valid at its last look-up, by hash; in the order of the look-ups. */
  readonly #known = new Map<string, boolean>();
  readonly #sources = new Map<string, Source>();
  #sweptAt = 0;

  /** @param maximumFailures Failed look-ups of one source per second. */
  constructor(clock: Clock, maximumFailures: number) {
    this.#clock = clock;
    this.#maximumFailures = maximumFailures;
  }

  /** Whether a credential was valid at its last look-up. */
  wasValid(hash: string): boolean {
    return this.#known.get(hash) === true;
  }

  /**
   * Looks up a credential. Waits for other look-ups of the source if they would, together with this
   * one, exceed the limit by failing.
   *
   * @param find Queries the store. Returns null for a credential that was never issued, and throws an
   *   `ApiError` for one that has ended.
   * @throws ApiError `RATE_LIMITED` if the limit is reached, or the error of `find`.
   */
  async find<Found>(
    hash: string,
    source: string,
    find: () => Promise<Found | null>,
  ): Promise<Found | null> {
    if (this.wasValid(hash)) return this.#lookUp(hash, source, find);
    // Separate from made-up credentials: a page gets a new token after its old one was refused.
    const subject = this.#known.has(hash) ? ended(source) : source;
    const counts = await this.#admit(subject);
    try {
      return await this.#lookUp(hash, source, find);
    } finally {
      counts.inProgress -= 1;
      for (const resume of counts.waiting.splice(0)) resume();
    }
  }

  async #lookUp<Found>(
    hash: string,
    source: string,
    find: () => Promise<Found | null>,
  ): Promise<Found | null> {
    try {
      const found = await find();
      this.#known.delete(hash);
      if (found === null) this.#countFailure(source);
      else this.#remember(hash, true);
      return found;
    } catch (error) {
      if (error instanceof ApiError) {
        this.#remember(hash, false);
        this.#countFailure(ended(source));
      }
      throw error;
    }
  }

  async #admit(subject: string): Promise<Source> {
    const counts = this.#sourceOf(subject);
    for (;;) {
      const failures = this.#recentFailures(counts);
      if (failures >= this.#maximumFailures) throw tooManyFailures(this.#maximumFailures);
      if (failures + counts.inProgress < this.#maximumFailures) {
        counts.inProgress += 1;
        return counts;
      }
      await new Promise<void>((resolve) => counts.waiting.push(resolve));
    }
  }

  #countFailure(subject: string): void {
    this.#sourceOf(subject).failures.push(this.#clock.now());
  }

  #recentFailures(counts: Source): number {
    const { failures } = counts;
    const now = this.#clock.now();
    // The clock was set back: later times would be counted until the clock has caught up.
    if ((failures.at(-1) ?? now) > now) failures.length = 0;
    while ((failures[0] ?? now) <= now - windowMs) failures.shift();
    return failures.length;
  }

  #sourceOf(subject: string): Source {
    this.#sweep();
    const counts = this.#sources.get(subject) ?? { failures: [], inProgress: 0, waiting: [] };
    this.#sources.set(subject, counts);
    return counts;
  }

  #remember(hash: string, isValid: boolean): void {
    this.#known.delete(hash);
    this.#known.set(hash, isValid);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > maximumKnown) this.#known.delete(oldest);
  }

  /** Removes idle sources, so that memory use depends only on the number of recent ones. */
  #sweep(): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#sweptAt) < windowMs) return;
    this.#sweptAt = now;
    for (const [subject, counts] of this.#sources) {
      if (counts.inProgress === 0 && this.#recentFailures(counts) === 0) {
        this.#sources.delete(subject);
      }
    }
  }
}

/** The subject for failed look-ups of credentials that have existed. */
function ended(source: string): string {
  return `ended:${source}`;
}

function tooManyFailures(maximum: number): ApiError {
  return new ApiError(
    'RATE_LIMITED',
    `Requests per second limit of ${maximum} for invalid credentials reached. Retry after \`retry-after\` seconds.`,
    { retryAfter: 1, scope: 'platform' },
  );
}
