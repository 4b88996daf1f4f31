import { type Moment, moment, since } from '../moment.ts';
import type { Clock } from '../ports.ts';

/** The server sends at least a comment every 15 seconds: three of them missing is the end. */
const watchdog = 45_000;
/** Coming back to the page, one missing comment is enough. */
const staleAfter = 20_000;

/** Watches over one attempt: ends it when asked, and when no byte came for 45 seconds. */
export class AttemptWatch {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #lastBytes: Moment;
  #timer: unknown;
  #silent = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastBytes = moment(clock);
    this.#arm(watchdog);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was ended for its silence. */
  get silent(): boolean {
    return this.#silent;
  }

  /** Whether so little came lately that it may be dead. */
  get stale(): boolean {
    return since(this.#lastBytes, this.#clock) >= staleAfter;
  }

  bytes(): void {
    this.#lastBytes = moment(this.#clock);
  }

  /** Ends the attempt. A second call does nothing. */
  end(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#controller.abort();
  }

  // One timer that looks at the clock when it fires: not one per chunk.
  #arm(milliseconds: number): void {
    this.#timer = this.#clock.setTimeout(() => {
      const rest = watchdog - since(this.#lastBytes, this.#clock);
      if (rest > 0) {
        this.#arm(rest);
        return;
      }
      this.#silent = true;
      this.end();
    }, milliseconds);
  }
}
