import { retryDelay } from '../backoff.ts';
import type { Ports } from '../ports.ts';
import { type DualTime, dualNow, elapsedMs, Pause } from '../wait.ts';

/** Maximum wait before the first retry, in milliseconds. It spreads the reconnects after a server failed. */
const initialMaxWait = 3_000;
/** Milliseconds from opening a stream until the stream is stable, which resets the backoff. */
const stableAfter = 10_000;
/** Milliseconds from the first event of a stream until the stream is stable. */
const stableAfterEvent = 5_000;

/** Computes the waits before a stream is reopened. */
export class ReconnectBackoff {
  readonly #ports: Ports;
  readonly #pause: Pause;
  #failures = 0;
  #firstMaxWait = initialMaxWait;
  #openedAt: DualTime | null = null;
  #firstEventAt: DualTime | null = null;
  /** Whether the server requested the wait: then only the user can end it early. */
  #isServerWait = false;
  #skipNext = false;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#pause = new Pause(ports.clock);
  }

  handleOpen(): void {
    this.#skipNext = false;
    this.#isServerWait = false;
    this.#openedAt = dualNow(this.#ports.clock);
    this.#firstEventAt = null;
  }

  handleEvent(): void {
    this.#firstEventAt ??= dualNow(this.#ports.clock);
  }

  /** Resets the backoff if the stream was stable. The delay keeps growing if streams end soon. */
  handleClose(): void {
    const lasted = (start: DualTime | null, duration: number) =>
      start !== null && elapsedMs(start, this.#ports.clock) >= duration;
    if (lasted(this.#openedAt, stableAfter) || lasted(this.#firstEventAt, stableAfterEvent)) {
      this.#failures = 0;
    }
    this.#openedAt = null;
    this.#firstEventAt = null;
  }

  /** Sets the maximum wait before the first retry by the stream's `retry:` field. `retryDelay` limits waits to 30 seconds. */
  setFirstMaxWait(milliseconds: number): void {
    this.#firstMaxWait = Math.max(500, milliseconds);
  }

  /** Returns the wait before the next attempt in milliseconds, at least `retryAfterMs`. */
  next(retryAfterMs: number | null): number {
    this.#failures += 1;
    this.#isServerWait = retryAfterMs !== null;
    if (this.#skipNext && !this.#isServerWait) return 0;
    return retryDelay(retryAfterMs, this.#failures, this.#ports.random, this.#firstMaxWait);
  }

  async wait(delay: number, signal: AbortSignal): Promise<void> {
    this.#skipNext = false;
    if (delay > 0) await this.#pause.wait(delay, signal);
  }

  /**
   * Ends the current wait, or skips the next wait.
   *
   * @param byUser Whether the user requested it, which also ends a wait that the server requested.
   */
  retryNow(byUser = false): void {
    if (this.#isServerWait && !byUser) return;
    this.#isServerWait = false;
    this.#failures = 0;
    this.#skipNext = true;
    this.#pause.wake();
  }
}
