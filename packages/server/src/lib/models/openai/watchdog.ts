import type { Clock } from '../../ports/clock.ts';
import { ModelError, type ModelErrorKind } from '../model.ts';

/** Aborts an upstream request that makes no progress, or whose caller has left. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  #cancel = () => {};
  #reason: ModelError | null = null;

  constructor(clock: Clock, caller: AbortSignal) {
    this.#clock = clock;
    this.#caller = caller;
    if (caller.aborted) this.#controller.abort();
    caller.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the watchdog bit; null while it has not. */
  get reason(): ModelError | null {
    return this.#reason;
  }

  /** Starts over: the next sign of life must come within `ms`. */
  arm(ms: number, message: string, kind: ModelErrorKind = 'failed'): void {
    this.#cancel();
    this.#cancel = this.#clock.after(ms, () => {
      this.#reason = new ModelError(message, { retryable: true, kind });
      this.#controller.abort();
    });
  }

  stop(): void {
    this.#cancel();
    this.#caller.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }

  readonly #abort = () => this.#controller.abort();
}
