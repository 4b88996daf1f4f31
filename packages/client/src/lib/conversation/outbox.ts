import type { UserEventInput } from '@inlay/protocol';
import type { DiagnosticListener } from '../diagnostics.ts';
import { asInlayError, type InlayError } from '../errors.ts';
import { type PersistOptions, untilDone } from '../until-done.ts';
import type { Delivery } from './state.ts';

/** What the person did, on its way to the log. Its key makes a repeat harmless. */
export interface OutboxItem {
  readonly key: string;
  readonly event: UserEventInput;
}

/** The event of what waits may depend on what becomes of those before it. */
interface Waiting {
  readonly key: string;
  readonly event: UserEventInput | (() => UserEventInput);
  resolve: () => void;
  reject: (error: InlayError) => void;
}

export interface OutboxOptions extends Pick<PersistOptions, 'ports' | 'tokens' | 'signal'> {
  /** Sending begins when it resolves. */
  readonly ready: () => Promise<void> | undefined;
  /** Brings one item into the log. It may be called again for the same item. */
  readonly deliver: (item: OutboxItem) => Promise<void>;
  readonly onDelivery: (
    key: string,
    delivery: Exclude<Delivery, 'sent'>,
    error: InlayError | null,
  ) => void;
  /** It is in the log. */
  readonly onDelivered: (key: string) => void;
  /** Nothing waits any more. */
  readonly onEmpty: () => void;
  readonly onDiagnostic: DiagnosticListener;
}

/** A server that fails so often with one item gets no more of it until the person says so. */
const toleratedAnswers = 8;

/**
 * Sends what the person does, one thing after the other, until each is in the log, or failed with
 * what no repeat can mend. When the signal is aborted, all that waits fails.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #queue: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Whether nothing waits or is being sent. */
  get empty(): boolean {
    return this.#queue.length === 0;
  }

  /** Resolves when nothing waits any more, whatever became of it. */
  get settled(): Promise<void> | undefined {
    return this.#running;
  }

  /** Whether an item of this key waits or is being sent. */
  holds(key: string): boolean {
    return this.#queue.some((item) => item.key === key);
  }

  /** Resolves when the item is in the log; rejects when it failed. */
  add(item: Pick<Waiting, 'key' | 'event'>): Promise<void> {
    return new Promise((resolve, reject) => {
      const idle = this.empty;
      this.#queue.push({ ...item, resolve, reject });
      if (idle) this.#running = this.#run();
    });
  }

  async #run(): Promise<void> {
    const ready = this.#options.ready();
    if (ready !== undefined) await ready;
    for (let item = this.#queue[0]; item; item = this.#queue[0]) {
      const error = await this.#send(item);
      // Taken out only now: it counts as waiting while it is sent.
      this.#queue.shift();
      if (error) item.reject(error);
      else item.resolve();
    }
    this.#options.onEmpty();
  }

  async #send({ key, event }: Waiting): Promise<InlayError | null> {
    const { deliver, onDelivery, onDiagnostic } = this.#options;
    try {
      await untilDone(
        () => {
          onDelivery(key, 'sending', null);
          return deliver({ key, event: typeof event === 'function' ? event() : event });
        },
        {
          ...this.#options,
          toleratedAnswers,
          onWait(error, delay) {
            if (error) onDiagnostic({ type: 'send_retry', code: error.code, delay });
            else onDelivery(key, 'queued', null);
          },
        },
      );
      this.#options.onDelivered(key);
      return null;
    } catch (cause) {
      const error = asInlayError(cause);
      onDelivery(key, 'failed', error);
      return error;
    }
  }
}
