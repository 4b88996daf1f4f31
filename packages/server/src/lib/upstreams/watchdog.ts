import type { Clock } from '../clock.ts';

/** Created once, because creating an exception for each request would capture a stack trace. */
const requestEnded = new DOMException('The request has ended.', 'AbortError');

/** Aborts a request if it makes no progress, or if its caller aborts. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  #cancel = () => {};
  #reason: Error | null = null;

  constructor(clock: Clock, caller: AbortSignal) {
    this.#clock = clock;
    this.#caller = caller;
    if (caller.aborted) this.#controller.abort();
    caller.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason if the watchdog aborted the request; null otherwise. */
  get reason(): Error | null {
    return this.#reason;
  }

  /** Restarts the timer: the next output must arrive within `ms` milliseconds. */
  arm(ms: number, createReason: () => Error): void {
    this.#cancel();
    this.#cancel = this.#clock.after(ms, () => {
      this.#reason = createReason();
      this.#controller.abort();
    });
  }

  /** Stops the timer until `arm` is called again. */
  disarm(): void {
    this.#cancel();
  }

  /** Stops the timer, and aborts the request if it has not ended. */
  stop(): void {
    this.#cancel();
    this.#caller.removeEventListener('abort', this.#abort);
    this.#controller.abort(requestEnded);
  }

  readonly #abort = () => this.#controller.abort();
}
