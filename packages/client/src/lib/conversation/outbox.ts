import type { UserEventInput } from '@inlay/protocol';
import { longWaitEnd } from '../backoff.ts';
import type { DiagnosticListener } from '../diagnostics.ts';
import { left, type Moment, moment } from '../dual-clock.ts';
import { asInlayError, InlayError } from '../errors.ts';
import { type RetryOptions, retry } from '../retry.ts';
import { abortError, onAbort, Pause } from '../wait.ts';
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
  /** Aborted when the item is taken back, or is known to be in the log. */
  readonly controller: AbortController;
  /** Whether the platform answered with success, but in another shape than it should. */
  answered: boolean;
  resolve: () => void;
  reject: (error: InlayError) => void;
}

/** A wait of `span` milliseconds since `start`. */
interface Hold {
  readonly start: Moment;
  readonly span: number;
  /** When it is over, in milliseconds since the epoch by the browser's clock. */
  readonly retryAt: number;
}

export interface OutboxOptions
  extends Pick<RetryOptions, 'ports' | 'tokens' | 'contact' | 'signal'> {
  /** Sending begins when it resolves. */
  readonly ready: () => Promise<void> | undefined;
  /** Brings one item into the log. It may be called again for the same item. */
  readonly deliver: (item: OutboxItem) => Promise<void>;
  readonly onDelivery: (
    key: string,
    delivery: Exclude<Delivery, 'sent'>,
    error: InlayError | null,
    /** When it is sent again, where the platform asked for a long wait: see `UserEntry.retryAt`. */
    retryAt: number | null,
  ) => void;
  /** Whether the log shows the item. */
  readonly isInLog: (key: string) => boolean;
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
  readonly #pause: Pause;
  /** A wait that the platform asked for. It holds for whatever is sent next. */
  #hold: Hold | null = null;
  /** Whether the first item waits to be sent again, and is not being sent. */
  #waits = false;
  /** Whether it waits because the platform could not be reached. */
  #unreached = false;
  #running: Promise<void> | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#pause = new Pause(options.ports.clock);
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
      this.#queue.push({
        ...item,
        controller: new AbortController(),
        answered: false,
        resolve,
        reject,
      });
      if (idle) this.#running = this.#run();
      else if (this.#hold) this.#report(item.key, this.#hold.retryAt);
      // The person is here, and may have a network again.
      else if (this.#unreached) this.#pause.wake();
    });
  }

  /** Sends everything that waits now, because the user asked for it. */
  retryNow(): void {
    this.#release();
    this.#pause.wake();
  }

  /** Takes back an item that waits. False where there is none, or it is just being sent. */
  discard(key: string): boolean {
    const item = this.#queue.find((each) => each.key === key);
    if (!item || (item === this.#queue[0] && !this.#waits)) return false;
    item.reject(new InlayError('ABORTED', 'The message was discarded.'));
    this.#settle(item);
    return true;
  }

  /** The log has gone on. An item whose answer could not be read counts as sent when it is there. */
  look(): void {
    const [item] = this.#queue;
    if (!item?.answered || !this.#options.isInLog(item.key)) return;
    this.#options.onDelivered(item.key);
    this.#settle(item);
  }

  /** An item that was not rejected counts as sent. */
  #settle(item: Waiting): void {
    item.resolve();
    item.controller.abort();
    // The first one is taken out by the loop that sends it.
    if (item !== this.#queue[0]) this.#queue.splice(this.#queue.indexOf(item), 1);
  }

  async #run(): Promise<void> {
    const ready = this.#options.ready();
    if (ready !== undefined) await ready;
    for (let item = this.#queue[0]; item; item = this.#queue[0]) {
      const error = await this.#send(item);
      this.#waits = false;
      // Taken out only now: it counts as waiting while it is sent.
      this.#queue.shift();
      if (error) item.reject(error);
      else item.resolve();
    }
    this.#options.onEmpty();
  }

  async #send(item: Waiting): Promise<InlayError | null> {
    const { key, event, controller } = item;
    const { deliver, onDelivery, onDiagnostic, signal, ports } = this.#options;
    const forget = onAbort(signal, () => controller.abort());
    try {
      if (this.#hold) await this.#held(key, this.#hold, controller.signal);
      await retry(
        () => {
          this.#waits = false;
          this.#unreached = false;
          this.#release();
          onDelivery(key, 'sending', null, null);
          return deliver({ key, event: typeof event === 'function' ? event() : event });
        },
        {
          ...this.#options,
          signal: controller.signal,
          pause: this.#pause,
          toleratedAnswers,
          onWait: (error, delay) => {
            this.#waits = true;
            this.#unreached = error === null || error.status === null;
            if (error) onDiagnostic({ type: 'send_retry', code: error.code, delay });
            else onDelivery(key, 'queued', null, null);
            const retryAt = longWaitEnd(error, delay, ports);
            if (retryAt !== null) this.#keepWaiting(delay, retryAt);
            // It said yes, in words that could not be read.
            item.answered = (error?.status ?? 500) < 300;
            this.look();
          },
        },
      );
      this.#options.onDelivered(key);
      return null;
    } catch (cause) {
      // `discard` or `look` has settled the item and updated its entry.
      if (controller.signal.aborted && !signal.aborted) return null;
      const error = signal.aborted ? abortError(signal) : asInlayError(cause);
      onDelivery(key, 'failed', error, null);
      return error;
    } finally {
      forget();
    }
  }

  /** Waits as long as the platform asked before, unless the person wants otherwise. */
  async #held(key: string, hold: Hold, signal: AbortSignal): Promise<void> {
    this.#waits = true;
    this.#report(key, hold.retryAt);
    const rest = left(hold.start, hold.span, this.#options.ports.clock);
    await this.#pause.wait(rest, signal);
  }

  #keepWaiting(span: number, retryAt: number): void {
    this.#hold = { start: moment(this.#options.ports.clock), span, retryAt };
    for (const { key } of this.#queue) this.#report(key, retryAt);
  }

  #release(): void {
    if (!this.#hold) return;
    this.#hold = null;
    for (const { key } of this.#queue) this.#report(key, null);
  }

  #report(key: string, retryAt: number | null): void {
    this.#options.onDelivery(key, 'queued', null, retryAt);
  }
}
