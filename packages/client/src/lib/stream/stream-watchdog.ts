import type { Clock } from '../ports.ts';
import { type DualTime, dualNow, elapsedMs } from '../wait.ts';

/** Silence after which an attempt is ended, in milliseconds. The server sends a comment every 15 s. */
const deadAfter = 45_000;
/** Silence after which the connection may be dead, in milliseconds. */
const staleAfter = 20_000;
/** Maximum wait for the first byte without a buffering proxy, in milliseconds. */
const firstByteTimeout = 5_000;
/** Interval of `onSilence`, in milliseconds. */
const checkInterval = 5_000;

/** Watches one attempt, and ends it after 45 seconds without a byte. */
export class StreamWatchdog {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  readonly #controller = new AbortController();
  readonly #start: DualTime;
  #lastBytesAt: DualTime;
  #timer: unknown;
  #hasBytes = false;
  #isDead = false;

  /** @param onSilence Called every five seconds while no byte arrives. */
  constructor(clock: Clock, onSilence: () => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
    this.#start = dualNow(clock);
    this.#lastBytesAt = this.#start;
    this.#startTimer(checkInterval);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the attempt was ended because of silence. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** Whether the first byte is overdue. */
  get isLate(): boolean {
    return !this.#hasBytes && this.#silence >= firstByteTimeout;
  }

  /** Whether the attempt has been silent for so long that its connection may be dead. */
  get isStale(): boolean {
    return this.#silence >= staleAfter;
  }

  /**
   * Records received bytes.
   *
   * @returns Whether they were the first bytes and in time, so that no proxy buffers the stream.
   */
  recordBytes(): boolean {
    const isPrompt = !this.#hasBytes && elapsedMs(this.#start, this.#clock) < firstByteTimeout;
    this.#hasBytes = true;
    this.#lastBytesAt = dualNow(this.#clock);
    return isPrompt;
  }

  /** Ends the attempt. A second call does nothing. */
  end(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#controller.abort();
  }

  get #silence(): number {
    return elapsedMs(this.#lastBytesAt, this.#clock);
  }

  // One timer that compares times when it fires, instead of one per chunk.
  #startTimer(milliseconds: number): void {
    this.#timer = this.#clock.setTimeout(() => {
      const remaining = deadAfter - this.#silence;
      if (remaining > 0) {
        this.#startTimer(Math.min(remaining, checkInterval));
        if (remaining < deadAfter) this.#onSilence();
        return;
      }
      this.#isDead = true;
      this.end();
    }, milliseconds);
  }
}
