import { retryDelay } from '../backoff.ts';
import { type DualTime, dualNow, elapsedMs } from '../dual-clock.ts';
import type { Ports } from '../ports.ts';
import { Pause } from '../wait.ts';

/** Window of the first attempt in milliseconds. Its jitter spreads the clients of a failed server. */
const firstWindow = 3_000;
/** A stream that was open for this long resets the backoff, in milliseconds. */
const stableAfter = 10_000;
/** So does one that was open for this long after its first event. */
const provenAfter = 5_000;

/** Computes the wait before a stream is reopened. */
export class ReconnectBackoff {
  readonly #ports: Ports;
  readonly #pause: Pause;
  #failures = 0;
  #window = firstWindow;
  #opened: DualTime | null = null;
  #firstEvent: DualTime | null = null;
  /** Whether the server set the wait: then only the user can end it early. */
  #isServerSet = false;
  #skipNext = false;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#pause = new Pause(ports.clock);
  }

  opened(): void {
    this.#skipNext = false;
    this.#isServerSet = false;
    this.#opened = dualNow(this.#ports.clock);
    this.#firstEvent = null;
  }

  applied(): void {
    this.#firstEvent ??= dualNow(this.#ports.clock);
  }

  /** Resets the backoff only after a stable stream, so that one that ends at once keeps backing off. */
  closed(): void {
    const lasted = (start: DualTime | null, span: number) =>
      start !== null && elapsedMs(start, this.#ports.clock) >= span;
    if (lasted(this.#opened, stableAfter) || lasted(this.#firstEvent, provenAfter)) {
      this.#failures = 0;
    }
    this.#opened = null;
    this.#firstEvent = null;
  }

  /** Sets the first window from the stream's `retry:` field, between 0.5 and 60 seconds. */
  setWindow(milliseconds: number): void {
    this.#window = Math.min(60_000, Math.max(500, milliseconds));
  }

  /** Returns the milliseconds until the next attempt, at least what the server asked for. */
  next(retryAfterMs: number | null): number {
    this.#failures += 1;
    this.#isServerSet = retryAfterMs !== null;
    if (this.#skipNext && !this.#isServerSet) return 0;
    return retryDelay(retryAfterMs, this.#failures, this.#ports.random, this.#window);
  }

  async wait(delay: number, signal: AbortSignal): Promise<void> {
    this.#skipNext = false;
    if (delay > 0) await this.#pause.wait(delay, signal);
  }

  /**
   * Ends the current wait, or skips the next one.
   *
   * @param byUser Whether the user asked for it, which also ends a wait that the server set.
   */
  retryNow(byUser = false): void {
    if (this.#isServerSet && !byUser) return;
    this.#isServerSet = false;
    this.#failures = 0;
    this.#skipNext = true;
    this.#pause.wake();
  }
}
