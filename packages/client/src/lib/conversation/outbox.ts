import type { UserEventInput } from '@inlay/protocol';
import { asInlayError, type InlayError } from '../errors.ts';
import type { Ports } from '../ports.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import { type PersistOptions, untilDone } from '../until-done.ts';

/** What the person did, on its way to the log. Its key makes a repeat harmless. */
export interface OutboxItem {
  readonly key: string;
  readonly event: UserEventInput;
}

interface Waiting extends OutboxItem {
  resolve: () => void;
  reject: (error: InlayError) => void;
}

export interface OutboxOptions {
  readonly ports: Ports;
  readonly tokens: TokenManager;
  /** Brings one item into the log. It may be called again for the same item. */
  readonly deliver: (item: OutboxItem) => Promise<void>;
  readonly onSending: (item: OutboxItem) => void;
  readonly onWaiting: (item: OutboxItem, error: InlayError | null, delay: number) => void;
  readonly onFailed: (item: OutboxItem, error: InlayError) => void;
}

/** A server that fails so often with one item gets no more of it until the person says so. */
const toleratedAnswers = 8;

/**
 * Sends what the person does, one thing after the other, until each is in the log. What no repeat
 * can mend fails and is kept, to be put in again.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #life = new AbortController();
  readonly #failed = new Map<string, OutboxItem>();
  #queue: Waiting[] = [];
  #running = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Resolves when the item is in the log; rejects when it failed. */
  add(item: OutboxItem): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...item, resolve, reject });
      void this.#run();
    });
  }

  /** Whether something of this type waits to be sent. */
  holds(type: UserEventInput['type']): boolean {
    return this.#queue.some((item) => item.event.type === type);
  }

  /** Puts in again what failed: the item of this key, or all. */
  retry(key?: string): void {
    for (const item of [...this.#failed.values()]) {
      if (key !== undefined && item.key !== key) continue;
      this.#failed.delete(item.key);
      // Its first promise is settled; what becomes of it now shows in the conversation.
      this.add(item).catch(() => {});
    }
  }

  close(error: InlayError): void {
    this.#life.abort(error);
    for (const item of this.#queue.splice(0)) item.reject(error);
    this.#failed.clear();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let item = this.#queue[0]; item; item = this.#queue[0]) {
      const error = await this.#send(item);
      // Taken out only now, and only if a `close` did not: it counts as held while it is sent.
      if (this.#queue[0] === item) this.#queue.shift();
      if (!error) {
        item.resolve();
        continue;
      }
      if (!this.#life.signal.aborted) {
        this.#failed.set(item.key, { key: item.key, event: item.event });
        this.#options.onFailed(item, error);
      }
      item.reject(error);
    }
    this.#running = false;
  }

  async #send(item: Waiting): Promise<InlayError | null> {
    const { ports, tokens, deliver, onSending, onWaiting } = this.#options;
    const persist: PersistOptions = {
      ports,
      tokens,
      signal: this.#life.signal,
      outlastDenial: false,
      toleratedAnswers,
      onWait: (error, delay) => onWaiting(item, error, delay),
    };
    try {
      await untilDone(() => {
        onSending(item);
        return deliver(item);
      }, persist);
      return null;
    } catch (error) {
      return asInlayError(error);
    }
  }
}
