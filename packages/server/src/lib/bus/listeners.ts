import { describeError, type Logger } from '../log/logger.ts';
import type { BusListener, BusMessage, BusOrigin } from './bus.ts';

/** The listeners of this process. An exception in one does not affect the others. */
export class Listeners {
  readonly #log: Logger;
  readonly #listeners = new Set<BusListener>();

  constructor(log: Logger) {
    this.#log = log;
  }

  add(listener: BusListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notify(message: BusMessage, from: BusOrigin): void {
    for (const listener of this.#listeners) {
      try {
        listener(message, from);
      } catch (error) {
        this.#log.error('bus listener failed', { kind: message.kind, ...describeError(error) });
      }
    }
  }
}
