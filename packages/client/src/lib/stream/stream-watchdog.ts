import { type DualTime, dualNow, elapsedMs } from '../dual-clock.ts';
import type { Clock } from '../ports.ts';

/** Silence that ends an attempt, in milliseconds: the server sends a comment every 15 seconds. */
const deadAfter = 45_000;
/** Silence that makes an attempt suspect, in milliseconds. */
const staleAfter = 20_000;
/** The server sends a byte at once. One that takes longer is buffered by a proxy, in milliseconds. */
const firstByteWithin = 5_000;
/** Interval of `onQuiet`, in milliseconds. */
const checkEvery = 5_000;

/** Ends one attempt when asked, or after 45 seconds without a byte. */
export class StreamWatchdog {
  readonly #clock: Clock;
  readonly #onQuiet: () => void;
  readonly #controller = new AbortController();
  readonly #start: DualTime;
  #lastBytes: DualTime;
  #timer: unknown;
  #begun = false;
  #silent = false;

  /** @param onQuiet Called every five seconds while no byte arrives. */
  constructor(clock: Clock, onQuiet: () => void) {
    this.#clock = clock;
    this.#onQuiet = onQuiet;
    this.#start = dualNow(clock);
    this.#lastBytes = this.#start;
    this.#arm(checkEvery);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it ended because of silence. */
  get silent(): boolean {
    return this.#silent;
  }

  /** Whether the first byte is overdue. */
  get late(): boolean {
    return !this.#begun && this.#silence >= firstByteWithin;
  }

  /** Whether it has been silent for so long that the connection may be dead. */
  get stale(): boolean {
    return this.#silence >= staleAfter;
  }

  /** Records received bytes. Returns whether they were the first ones and in time: no proxy buffers. */
  bytes(): boolean {
    const prompt = !this.#begun && elapsedMs(this.#start, this.#clock) < firstByteWithin;
    this.#begun = true;
    this.#lastBytes = dualNow(this.#clock);
    return prompt;
  }

  /** Ends the attempt. A second call does nothing. */
  end(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#controller.abort();
  }

  get #silence(): number {
    return elapsedMs(this.#lastBytes, this.#clock);
  }

  // One timer that compares times when it fires, instead of one per chunk.
  #arm(milliseconds: number): void {
    this.#timer = this.#clock.setTimeout(() => {
      const rest = deadAfter - this.#silence;
      if (rest > 0) {
        this.#arm(Math.min(rest, checkEvery));
        if (rest < deadAfter) this.#onQuiet();
        return;
      }
      this.#silent = true;
      this.end();
    }, milliseconds);
  }
}
