import { describeError, type Logger } from '../log/logger.ts';

/** The work that a process does besides its requests. Its errors are logged. */
export class BackgroundWork {
  readonly #log: Logger;
  readonly #failure: string;
  readonly #pending = new Set<Promise<void>>();

  /** @param failure Message of the log line for an error. */
  constructor({ log }: { readonly log: Logger }, failure: string) {
    this.#log = log;
    this.#failure = failure;
  }

  /** Adds work that has started. */
  add(work: Promise<void>): void {
    const pending = work
      .catch((error: unknown) => this.#log.error(this.#failure, describeError(error)))
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  /** Resolves when no work is left, or when `signal` is aborted. */
  async settled(signal?: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    while (this.#pending.size > 0 && !signal?.aborted) {
      await Promise.race([Promise.all(this.#pending), aborted]);
    }
  }
}
