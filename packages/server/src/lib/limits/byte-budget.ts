import { ApiError } from '../problems/api-error.ts';

/** Seconds after which a request that found no room may try again. */
const retryAfter = 2;

/**
 * Bytes that this process takes in at one time, of all callers together. One caller may use a
 * quarter of them, or one body, so that a few callers cannot use up all of them.
 */
export class ByteBudget {
  readonly #limit: number;
  #total = 0;
  readonly #ofCaller = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * A body of one caller. `take` counts bytes of it, before or while they arrive, and throws
   * `SERVICE_UNAVAILABLE` with `retry-after` where there is no room; `release` gives them back.
   */
  open(caller: string): { take(bytes: number): void; release(): void } {
    let taken = 0;
    return {
      take: (bytes) => {
        const own = this.#ofCaller.get(caller) ?? 0;
        const isFirstBody = own === taken;
        const isTooMuch = !isFirstBody && own + bytes > this.#limit / 4;
        if (isTooMuch || this.#total + bytes > this.#limit) {
          throw new ApiError(
            'SERVICE_UNAVAILABLE',
            'Too many files are being uploaded at this moment. Try again soon.',
            { retryAfter },
          );
        }
        taken += bytes;
        this.#total += bytes;
        this.#ofCaller.set(caller, own + bytes);
      },
      release: () => {
        const left = (this.#ofCaller.get(caller) ?? 0) - taken;
        this.#total -= taken;
        taken = 0;
        if (left > 0) this.#ofCaller.set(caller, left);
        else this.#ofCaller.delete(caller);
      },
    };
  }
}
