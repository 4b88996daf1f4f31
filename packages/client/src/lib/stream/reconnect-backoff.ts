import { waitFor } from '../backoff.ts';
import { type Moment, moment, since } from '../dual-clock.ts';
import type { Ports } from '../ports.ts';
import { Pause } from '../wait.ts';

/** The first attempt after a cut comes within this time, so that a herd is spread. */
const firstWindow = 3_000;
/** A stream that was open for so long was a good one. */
const stableAfter = 10_000;
/** So was one that still stood this long after its first event. */
const provenAfter = 5_000;

/** Decides how long to wait before a stream is opened again. */
export class ReconnectBackoff {
  readonly #ports: Ports;
  readonly #pause: Pause;
  #failures = 0;
  #window = firstWindow;
  #opened: Moment | null = null;
  #firstEvent: Moment | null = null;
  /** Whether the server named the wait itself: then only the user can end it early. */
  #ordered = false;
  #hurry = false;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#pause = new Pause(ports.clock);
  }

  opened(): void {
    this.#hurry = false;
    this.#ordered = false;
    this.#opened = moment(this.#ports.clock);
    this.#firstEvent = null;
  }

  applied(): void {
    this.#firstEvent ??= moment(this.#ports.clock);
  }

  /** Forgets earlier failures only if the stream held: one that ends at once must not hammer. */
  closed(): void {
    const lasted = (start: Moment | null, span: number) =>
      start !== null && since(start, this.#ports.clock) >= span;
    if (lasted(this.#opened, stableAfter) || lasted(this.#firstEvent, provenAfter)) {
      this.#failures = 0;
    }
    this.#opened = null;
    this.#firstEvent = null;
  }

  /** The server's own wish for the first window, kept within reason. */
  serverAsks(milliseconds: number): void {
    this.#window = Math.min(60_000, Math.max(500, milliseconds));
  }

  /** Milliseconds until the next attempt; never sooner than the server asked. */
  next(retryAfterMs: number | null): number {
    this.#failures += 1;
    this.#ordered = retryAfterMs !== null;
    if (this.#hurry && !this.#ordered) return 0;
    return waitFor(retryAfterMs, this.#failures, this.#ports.random, this.#window);
  }

  async wait(delay: number, signal: AbortSignal): Promise<void> {
    this.#hurry = false;
    if (delay > 0) await this.#pause.wait(delay, signal);
  }

  /**
   * Something changed for the better: a wait ends, or the next one is left out. A wait that the
   * server named ends early for the person alone: `wanted`.
   */
  retryNow(wanted = false): void {
    if (this.#ordered && !wanted) return;
    this.#ordered = false;
    this.#failures = 0;
    this.#hurry = true;
    this.#pause.wake();
  }
}
