import { type Moment, moment, since } from '../dual-clock.ts';
import type { Clock } from '../ports.ts';

/** The server sends at least a comment every 15 seconds: three of them missing is the end. */
const watchdog = 45_000;
/** One missing comment is a reason to look closer. */
const staleAfter = 20_000;
/** A stream says something as soon as it is open: what takes longer is held back on the way. */
const firstByteWithin = 5_000;
/** How often a silent attempt is looked at. */
const lookEvery = 5_000;

/** Watches over one attempt: ends it when asked, and when no byte came for 45 seconds. */
export class StreamWatchdog {
  readonly #clock: Clock;
  readonly #onQuiet: () => void;
  readonly #controller = new AbortController();
  readonly #start: Moment;
  #lastBytes: Moment;
  #timer: unknown;
  #begun = false;
  #silent = false;

  /** `onQuiet` is called now and then while no byte comes. */
  constructor(clock: Clock, onQuiet: () => void) {
    this.#clock = clock;
    this.#onQuiet = onQuiet;
    this.#start = moment(clock);
    this.#lastBytes = this.#start;
    this.#arm(lookEvery);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was ended for its silence. */
  get silent(): boolean {
    return this.#silent;
  }

  /** Whether a first byte is missing that should be here. */
  get late(): boolean {
    return !this.#begun && this.#silence >= firstByteWithin;
  }

  /** Whether so little came lately that it may be dead. */
  get stale(): boolean {
    return this.#silence >= staleAfter;
  }

  /** Bytes came. Whether they show that nothing holds the stream back: the first ones, in time. */
  bytes(): boolean {
    const prompt = !this.#begun && since(this.#start, this.#clock) < firstByteWithin;
    this.#begun = true;
    this.#lastBytes = moment(this.#clock);
    return prompt;
  }

  /** Ends the attempt. A second call does nothing. */
  end(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#controller.abort();
  }

  get #silence(): number {
    return since(this.#lastBytes, this.#clock);
  }

  // One timer that looks at the clock when it fires: not one per chunk.
  #arm(milliseconds: number): void {
    this.#timer = this.#clock.setTimeout(() => {
      const rest = watchdog - this.#silence;
      if (rest > 0) {
        this.#arm(Math.min(rest, lookEvery));
        if (rest < watchdog) this.#onQuiet();
        return;
      }
      this.#silent = true;
      this.end();
    }, milliseconds);
  }
}
