import { describeError } from './log/logger.ts';
import type { ServiceOptions } from './service-options.ts';

/** The work that a process does besides its requests. Its errors are logged. */
export class BackgroundWork {
  readonly #services: Pick<ServiceOptions, 'clock' | 'log'>;
  readonly #failure: string;
  readonly #pending = new Set<Promise<void>>();
  readonly #timers = new Set<() => void>();
  #isClosed = false;

  /** @param failure Message of the log line for an error. */
  constructor(services: Pick<ServiceOptions, 'clock' | 'log'>, failure: string) {
    this.#services = services;
    this.#failure = failure;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Adds work that has started. */
  add(work: Promise<void>): void {
    const pending = work
      .catch((error: unknown) => this.#services.log.error(this.#failure, describeError(error)))
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  /** Starts work now, and again `interval` milliseconds after each end, also after an error. */
  repeat(interval: number, work: () => Promise<void>): void {
    this.add(
      work().finally(() => {
        if (this.#isClosed) return;
        const cancel = this.#services.clock.after(interval, () => {
          this.#timers.delete(cancel);
          this.repeat(interval, work);
        });
        this.#timers.add(cancel);
      }),
    );
  }

  /** Ends the repetitions. Resolves when no work is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#timers) cancel();
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }
}
