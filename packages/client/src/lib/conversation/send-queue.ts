import type { UserEventInput } from '@inlay/protocol';
import { longWaitEnd } from '../backoff.ts';
import { asInlayError, InlayError } from '../errors.ts';
import { type RetryOptions, retry } from '../retry.ts';
import { abortError, type DualTime, dualNow, onAbort, Pause, remainingMs } from '../wait.ts';
import type { Delivery } from './state.ts';

/** An event of the user that is not in the log yet. Its key is the idempotency key. */
export interface QueueItem {
  readonly key: string;
  readonly event: UserEventInput;
}

/** A queued item. Its event may depend on the outcome of earlier items. */
interface QueuedItem {
  readonly key: string;
  readonly event: UserEventInput | (() => UserEventInput);
  /** Aborted when the item is discarded or found in the log. */
  readonly controller: AbortController;
  /** Whether its last response was a 2xx that could not be read. */
  hasUnreadableResponse: boolean;
  resolve: () => void;
  reject: (error: InlayError) => void;
}

/** A wait of `duration` milliseconds since `start`, which the platform requested. */
interface RequestedWait {
  readonly start: DualTime;
  readonly duration: number;
  /** Its end, in milliseconds since the epoch by the browser's clock. */
  readonly retryAt: number;
}

export interface SendQueueOptions
  extends Pick<RetryOptions, 'ports' | 'tokens' | 'reachability' | 'signal' | 'onDiagnostic'> {
  /** Appends an item to the log. Called again after a failure. */
  readonly deliver: (item: QueueItem) => Promise<void>;
  readonly onDelivery: (
    key: string,
    delivery: Exclude<Delivery, 'sent'>,
    error: InlayError | null,
    /** Time of the next attempt if the platform requested a long wait: see `UserEntry.retryAt`. */
    retryAt: number | null,
  ) => void;
  /** Whether the item is in the loaded part of the log. */
  readonly isInLog: (key: string) => boolean;
  /** Called when an item is in the log. */
  readonly onDelivered: (key: string) => void;
  /** Called when the queue becomes empty. */
  readonly onEmpty: () => void;
}

/** Number of 5xx or unreadable responses after which an item fails and only the user can retry it. */
const maxErrorResponses = 8;

/**
 * Queue of the user's events. Sends one item at a time, and retries it until it is in the log or has
 * failed for good. When the signal is aborted, all queued items fail.
 */
export class SendQueue {
  readonly #options: SendQueueOptions;
  readonly #queue: QueuedItem[] = [];
  readonly #pause: Pause;
  /** The wait that the platform requested last, which applies to all items; null for none. */
  #requestedWait: RequestedWait | null = null;
  /** Whether the first item is waiting for its next attempt. */
  #isWaiting = false;
  /** Whether the first item is waiting because the platform was unreachable. */
  #isUnreachable = false;

  constructor(options: SendQueueOptions) {
    this.#options = options;
    this.#pause = new Pause(options.ports.clock);
  }

  /** Whether no item is queued or being sent. */
  get empty(): boolean {
    return this.#queue.length === 0;
  }

  /** Whether an item with this key is queued or being sent. */
  has(key: string): boolean {
    return this.#queue.some((item) => item.key === key);
  }

  /** Queues an item. Resolves when the item is in the log; rejects when it has failed. */
  add(item: Pick<QueuedItem, 'key' | 'event'>): Promise<void> {
    return new Promise((resolve, reject) => {
      const idle = this.empty;
      this.#queue.push({
        ...item,
        controller: new AbortController(),
        hasUnreadableResponse: false,
        resolve,
        reject,
      });
      if (idle) void this.#run();
      else if (this.#requestedWait) this.#report(item.key, this.#requestedWait.retryAt);
      // The user is active, so the network may be available again.
      else if (this.#isUnreachable) this.#pause.wake();
    });
  }

  /** Sends queued items now, without waiting for their next retry. */
  retryNow(): void {
    this.#endRequestedWait();
    this.#pause.wake();
  }

  /** Removes a queued item. Returns false if there is none or if it is being sent. */
  discard(key: string): boolean {
    const item = this.#queue.find((each) => each.key === key);
    if (!item || (item === this.#queue[0] && !this.#isWaiting)) return false;
    item.reject(new InlayError('ABORTED', 'The message was discarded.'));
    this.#settle(item);
    return true;
  }

  /** Completes the first item if its response was unreadable but the item is in the log now. */
  checkLog(): void {
    const [item] = this.#queue;
    if (!item?.hasUnreadableResponse || !this.#options.isInLog(item.key)) return;
    this.#options.onDelivered(item.key);
    this.#settle(item);
  }

  /** Stops sending an item, and resolves its promise unless the promise was rejected before. */
  #settle(item: QueuedItem): void {
    item.resolve();
    item.controller.abort();
    // `#run` removes the first item.
    if (item !== this.#queue[0]) this.#queue.splice(this.#queue.indexOf(item), 1);
  }

  async #run(): Promise<void> {
    for (let item = this.#queue[0]; item; item = this.#queue[0]) {
      const error = await this.#send(item);
      this.#isWaiting = false;
      // Not removed earlier, because an item stays queued while it is being sent.
      this.#queue.shift();
      if (error) item.reject(error);
      else item.resolve();
    }
    this.#options.onEmpty();
  }

  async #send(item: QueuedItem): Promise<InlayError | null> {
    const { key, event, controller } = item;
    const { deliver, onDelivery, onDiagnostic, signal, ports } = this.#options;
    const unsubscribe = onAbort(signal, () => controller.abort());
    try {
      if (this.#requestedWait)
        await this.#finishRequestedWait(key, this.#requestedWait, controller.signal);
      await retry(
        () => {
          this.#isWaiting = false;
          this.#isUnreachable = false;
          this.#endRequestedWait();
          onDelivery(key, 'sending', null, null);
          return deliver({ key, event: typeof event === 'function' ? event() : event });
        },
        {
          ...this.#options,
          signal: controller.signal,
          pause: this.#pause,
          maxErrorResponses,
          onWait: (error, delayMs) => {
            this.#isWaiting = true;
            this.#isUnreachable = error === null || error.status === null;
            if (error) onDiagnostic({ type: 'send_retry', code: error.code, delayMs });
            else onDelivery(key, 'queued', null, null);
            const retryAt = longWaitEnd(error, delayMs, ports);
            if (retryAt !== null) this.#startRequestedWait(delayMs, retryAt);
            item.hasUnreadableResponse = (error?.status ?? 500) < 300;
            this.checkLog();
          },
        },
      );
      this.#options.onDelivered(key);
      return null;
    } catch (cause) {
      // `discard` or `checkLog` has settled the item and updated its entry.
      if (controller.signal.aborted && !signal.aborted) return null;
      const error = signal.aborted ? abortError(signal) : asInlayError(cause, onDiagnostic);
      onDelivery(key, 'failed', error, null);
      const { code, requestId } = error;
      if (code === 'VALIDATION_ERROR') onDiagnostic({ type: 'send_refused', code, requestId });
      return error;
    } finally {
      unsubscribe();
    }
  }

  /** Waits for the rest of the requested time, or until the user retries. */
  async #finishRequestedWait(
    key: string,
    { start, duration, retryAt }: RequestedWait,
    signal: AbortSignal,
  ): Promise<void> {
    this.#isWaiting = true;
    this.#report(key, retryAt);
    await this.#pause.wait(remainingMs(start, duration, this.#options.ports.clock), signal);
  }

  #startRequestedWait(duration: number, retryAt: number): void {
    this.#requestedWait = { start: dualNow(this.#options.ports.clock), duration, retryAt };
    for (const { key } of this.#queue) this.#report(key, retryAt);
  }

  #endRequestedWait(): void {
    if (!this.#requestedWait) return;
    this.#requestedWait = null;
    for (const { key } of this.#queue) this.#report(key, null);
  }

  #report(key: string, retryAt: number | null): void {
    this.#options.onDelivery(key, 'queued', null, retryAt);
  }
}
