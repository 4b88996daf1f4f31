import type { Allowance, UserEventInput, UserMessageInput } from '@inlay/protocol';
import { readEvent } from '@inlay/protocol/read-event';
import { longWaitEnd } from '../backoff.ts';
import { asInlayError, closedError, InlayError, isInlayError, retryableOf } from '../errors.ts';
import { sessionPath } from '../http/api.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { readEventPage } from '../responses/read-responses.ts';
import { retry } from '../retry.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import { abortError, type DualTime, dualNow, onAbort, Pause, remainingMs } from '../wait.ts';
import { type DraftStore, temporaryId } from './drafts.ts';
import { type Message, messageEvent, parentOf, userMessages } from './messages.ts';
import type { LocalEvent } from './reducer/events.ts';
import type { ConversationState, Delivery, UserEntry } from './state.ts';

/** A view of the session, whose state contains the unsent messages. */
export interface OutboxView {
  readonly state: () => ConversationState;
  readonly dispatch: (event: LocalEvent) => void;
  /** Creates the session with its first message. Called again after a failure. */
  readonly create: (message: OutgoingEvent) => Promise<void>;
  /** Ends the view. `isWiped`: its state is cleared, because another user uses the page. */
  readonly end: (error: InlayError, isWiped?: boolean) => void;
}

/** An event of the user that is being sent. Its key is the idempotency key. */
export interface OutgoingEvent {
  readonly key: string;
  readonly event: UserEventInput;
}

/** The entry of a message that is not known to be in the log. */
type UnsentEntry = UserEntry & { readonly delivery: Exclude<Delivery, 'sent'> };

/** The sending of an event. A message has an entry with the same key in the state of each view. */
interface QueueItem {
  readonly key: string;
  /** A function for a message that was not sent yet: the id of its parent may be unknown until then. */
  event: UserEventInput | (() => UserEventInput);
  /** Aborted when the item is discarded or found in the log. */
  readonly controller: AbortController;
  /** Whether its last response was a 2xx that could not be read. */
  hasUnreadableResponse: boolean;
  readonly resolve: () => void;
  readonly reject: (error: InlayError) => void;
}

/** A wait of `duration` milliseconds since `start`, which the platform requested. */
interface RequestedWait {
  readonly start: DualTime;
  readonly duration: number;
  /** Its end, in milliseconds since the epoch by the browser's clock. */
  readonly retryAt: number;
}

interface OutboxOptions extends StreamContext {
  /** An existing session; null for one that the first message creates. */
  readonly sessionId: string | null;
  readonly drafts: DraftStore;
  /** Called when the outbox ends. */
  readonly onEnd: () => void;
}

/** Number of 5xx or unreadable responses after which an item fails and only the user can retry it. */
const maxErrorResponses = 8;

/**
 * Sends the user's events of one session, one at a time, and retries each until it is in the log or has
 * failed for good. The client has one outbox for each session, which all views of the session share.
 *
 * An unsent message is an entry in the state of each view, which has its delivery, and an event in the
 * draft store, for the next page load and for retries. The queue contains only the order of sending.
 *
 * An outbox ends when it has no views and nothing to send, when the client is closed, or when the user
 * changes. The next outbox of the session then claims its failed messages.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #controller = new AbortController();
  readonly #views = new Set<OutboxView>();
  /** Closed views. They are removed when nothing is queued. */
  readonly #closedViews = new Set<OutboxView>();
  #sessionId: string | null;
  /** Id in the draft store of unsent messages while there is no session. */
  readonly #temporaryId: string;
  readonly #queue: QueueItem[] = [];
  /** The wait of the first item before its next attempt. */
  readonly #pause: Pause;
  #isWaiting = false;
  /** Whether the first item is waiting because the platform was unreachable. */
  #isUnreachable = false;
  /** The wait that the platform requested last, which applies to all items; null for none. */
  #requestedWait: RequestedWait | null = null;

  constructor(options: OutboxOptions) {
    const { ports, sessionId } = options;
    this.#options = options;
    this.#sessionId = sessionId;
    this.#temporaryId = temporaryId(ports.uniqueId());
    this.#pause = new Pause(ports.clock);
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Whether nothing is queued or being sent. */
  get empty(): boolean {
    return this.#queue.length === 0;
  }

  /** Adds a view and shows it the unsent messages. */
  subscribe(view: OutboxView): void {
    this.#views.add(view);
    for (const entry of this.#unsent) {
      const { key, delivery, error, retryAt } = entry;
      view.dispatch(addedEvent(entry, this.#parentOf(key)));
      view.dispatch(deliveryEvent(key, delivery, error, retryAt));
    }
  }

  /** Queues an event that is not a message. It is lost when the page is closed. */
  act(event: UserEventInput): Promise<void> {
    return this.#enqueue(this.#options.ports.uniqueId(), event);
  }

  /**
   * Queues a message, and shows it in all views.
   *
   * @param view The view in which the user sent it.
   * @returns A promise that resolves when the message is in the log, and rejects when it failed.
   */
  send(view: OutboxView, message: Message): Promise<void> {
    // A failed first message may have created the session, so it is retried before this message.
    if (this.#sessionId === null) this.#retryFailed();
    return this.#add(view, this.#options.ports.uniqueId(), message);
  }

  /** Queues the unsent messages of an earlier page load or outbox. */
  resume(view: OutboxView): void {
    for (const { key, message } of this.#options.drafts.claim(this.#sessionId)) {
      const { parent_id: parent, mentions, ...rest } = message;
      const stored = omitUndefined<Message>({ ...rest, parent, mentions: mentions ?? undefined });
      // A retry must send the same body: a message that was stored without a parent gets none now.
      const event = parent === undefined ? messageEvent(stored, undefined) : null;
      // The state shows a failure.
      this.#add(view, key, stored, event).catch(() => {});
    }
  }

  #add(
    view: OutboxView,
    key: string,
    message: Message,
    sent: UserMessageInput | null = null,
  ): Promise<void> {
    const added = { key, at: this.#options.ports.clock.now(), ...message };
    view.dispatch({ type: 'local.message_added', ...added });
    const parent = parentOf(view.state(), key);
    for (const other of this.#views) if (other !== view) other.dispatch(addedEvent(added, parent));
    const createEvent = () => sent ?? messageEvent(message, this.#parentId(key));
    this.#store(key, createEvent());
    return this.#enqueue(key, () => this.#store(key, createEvent()));
  }

  #store(key: string, event: UserMessageInput): UserMessageInput {
    this.#options.drafts.add(this.#sessionId ?? this.#temporaryId, key, event);
    return event;
  }

  /** Returns the id of a message's nearest ancestor that is in the log. */
  #parentId(key: string): string | null | undefined {
    const parent = this.#parentOf(key);
    if (typeof parent !== 'string') return parent;
    const isUnsent = this.#entries.some((entry) => entry.key === parent && entry.id === null);
    return this.#idOf(parent) ?? (isUnsent ? this.#parentId(parent) : parent);
  }

  #parentOf(key: string): string | null | undefined {
    const [view] = this.#views;
    return view && parentOf(view.state(), key);
  }

  /** Returns the id of a message; null if no view has received it from the log. */
  #idOf(key: string): string | null {
    const entries = [...this.#views].flatMap(({ state }) => userMessages(state()));
    return entries.find((entry) => entry.key === key && entry.id !== null)?.id ?? null;
  }

  /** Queues an event. Resolves when it is in the log; rejects when it has failed. */
  #enqueue(key: string, event: QueueItem['event']): Promise<void> {
    return new Promise((resolve, reject) => {
      const isIdle = this.empty;
      const controller = new AbortController();
      this.#queue.push({ key, event, controller, hasUnreadableResponse: false, resolve, reject });
      if (isIdle) void this.#run();
      else if (this.#requestedWait) this.#setQueued(key, this.#requestedWait.retryAt);
      // The user is active, so the network may be available again.
      else if (this.#isUnreachable) this.#pause.wake();
    });
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
    this.#removeClosedViews();
  }

  async #send(item: QueueItem): Promise<InlayError | null> {
    const { key, controller } = item;
    const { onDiagnostic, ports, drafts } = this.#options;
    const { signal } = this.#controller;
    const unsubscribe = onAbort(signal, () => controller.abort());
    try {
      if (this.#requestedWait) await this.#finishRequestedWait(item, this.#requestedWait);
      await retry(
        () => {
          this.#isWaiting = false;
          this.#isUnreachable = false;
          this.#endRequestedWait();
          this.#dispatch(deliveryEvent(key, 'sending'));
          if (typeof item.event === 'function') item.event = item.event();
          return this.#deliver({ key, event: item.event });
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
            else this.#setQueued(key, null);
            const retryAt = longWaitEnd(error, delayMs, ports);
            if (retryAt !== null) this.#startRequestedWait(delayMs, retryAt);
            item.hasUnreadableResponse = (error?.status ?? 500) < 300;
            this.checkLog();
          },
        },
      );
      drafts.remove(key);
      return null;
    } catch (cause) {
      // `discard` or `checkLog` has settled the item and updated its entry.
      if (controller.signal.aborted && !signal.aborted) return null;
      const error = signal.aborted ? abortError(signal) : asInlayError(cause, onDiagnostic);
      const { code, requestId } = error;
      const allowance = allowanceOf(error, ports.clock.now());
      if (allowance) this.#dispatch({ type: 'local.allowances', allowances: [allowance] });
      this.#dispatch(deliveryEvent(key, 'failed', error));
      if (code === 'VALIDATION_ERROR') onDiagnostic({ type: 'send_refused', code, requestId });
      return error;
    } finally {
      unsubscribe();
    }
  }

  /** Appends an event to the log, or creates the session with it. */
  async #deliver(outgoing: OutgoingEvent): Promise<void> {
    const [creator] = this.#views;
    try {
      if (this.#sessionId !== null) await this.#append(outgoing);
      // An interrupt never creates a session.
      else if (outgoing.event.type === 'user.interrupt') return;
      else await creator?.create(outgoing);
    } catch (error) {
      throw asRetryable(error);
    }
    this.#options.tokens.limit(null);
  }

  async #append({ key, event }: OutgoingEvent): Promise<void> {
    const path = `${sessionPath(this.#sessionId ?? '')}/events`;
    const response = await this.#options.platform.call(path, readEventPage, {
      method: 'POST',
      body: { events: [event] },
      idempotencyKey: key,
    });
    for (const value of response.data) {
      const read = readEvent(value);
      if (read.kind === 'log' && read.event.type === 'user.message') {
        this.#dispatch({ type: 'local.accepted', key, event: read.event });
      }
    }
  }

  /** Moves unsent messages and the draft to the new session id. */
  handleCreated(sessionId: string): void {
    this.#sessionId = sessionId;
    const { drafts } = this.#options;
    drafts.move(this.#temporaryId, sessionId);
    if (this.#closedViews.size === 0) drafts.move('', sessionId);
  }

  /** Completes the first item if its response was unreadable but the item is in the log now. */
  checkLog(): void {
    const [item] = this.#queue;
    if (!item?.hasUnreadableResponse || this.#idOf(item.key) === null) return;
    this.#options.drafts.remove(item.key);
    this.#settle(item);
  }

  /** Stops sending an item, and resolves its promise unless the promise was rejected before. */
  #settle(item: QueueItem): void {
    item.resolve();
    item.controller.abort();
    // `#run` removes the first item.
    if (item !== this.#queue[0]) this.#queue.splice(this.#queue.indexOf(item), 1);
  }

  /** Waits for the rest of the requested time, or until the user retries. */
  async #finishRequestedWait(
    { key, controller }: QueueItem,
    { start, duration, retryAt }: RequestedWait,
  ): Promise<void> {
    this.#isWaiting = true;
    this.#setQueued(key, retryAt);
    const rest = remainingMs(start, duration, this.#options.ports.clock);
    await this.#pause.wait(rest, controller.signal);
  }

  #startRequestedWait(duration: number, retryAt: number): void {
    this.#requestedWait = { start: dualNow(this.#options.ports.clock), duration, retryAt };
    for (const { key } of this.#queue) this.#setQueued(key, retryAt);
  }

  #endRequestedWait(): void {
    if (!this.#requestedWait) return;
    this.#requestedWait = null;
    for (const { key } of this.#queue) this.#setQueued(key, null);
  }

  #setQueued(key: string, retryAt: number | null): void {
    this.#dispatch(deliveryEvent(key, 'queued', null, retryAt));
  }

  /**
   * Queues failed messages again, and sends queued ones now.
   *
   * @param key Key of the failed message to queue. By default, and while there is no session, all
   *   failed messages are queued.
   */
  retry(key?: string): void {
    this.#retryFailed(key);
    // The token may be what the message waits for.
    this.#options.tokens.retryNow();
    if (key === undefined || this.#find(key)) this.retryNow();
  }

  #retryFailed(key?: string): void {
    for (const failed of this.#failed) {
      // A retry with the same idempotency key needs the same body.
      const event = this.#options.drafts.event(failed.key);
      const isIncluded = key === undefined || failed.key === key || this.#sessionId === null;
      if (!event || !isIncluded) continue;
      this.#setQueued(failed.key, null);
      // The state shows a failure.
      this.#enqueue(failed.key, event).catch(() => {});
    }
  }

  /** Sends queued events now, without waiting for their next retry. */
  retryNow(): void {
    this.#endRequestedWait();
    this.#pause.wake();
  }

  /** Removes a message that failed or is queued with a `retryAt`. */
  discard(key: string): void {
    const entry = this.#unsent.find((each) => each.key === key);
    const item = this.#find(key);
    // A message that is being sent can't be discarded, because the platform may receive it.
    const isSending =
      item && (entry?.retryAt == null || (item === this.#queue[0] && !this.#isWaiting));
    if (!entry || isSending) return;
    item?.reject(new InlayError('ABORTED', 'The message was discarded.'));
    if (item) this.#settle(item);
    this.#options.drafts.remove(key);
    this.#dispatch({ type: 'local.discarded', key });
  }

  /** Removes a view when nothing is queued: until then, the view shows the delivery. */
  unsubscribe(view: OutboxView): void {
    this.#closedViews.add(view);
    if (this.empty) this.#removeClosedViews();
    // The next conversation without a session has another draft.
    else if (this.#sessionId === null) this.#options.drafts.move('', this.#temporaryId);
  }

  #removeClosedViews(): void {
    if (this.#closedViews.size === this.#views.size) {
      this.end(closedError());
    } else {
      for (const view of this.#closedViews) {
        this.#views.delete(view);
        view.end(closedError());
      }
    }
    this.#closedViews.clear();
  }

  /**
   * Ends sending immediately. Queued events fail with `error`.
   *
   * @param isWiped Whether to clear the views, because another user uses the page.
   */
  end(error: InlayError, isWiped = false): void {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    const failed = this.#failed;
    this.#options.onEnd();
    // A listener of a view may open the session again, with another outbox.
    for (const view of this.#views) view.end(error, isWiped);
    this.#controller.abort(error);
    this.#views.clear();
    for (const { key } of failed) this.#options.drafts.release(key);
  }

  /** The user's messages in one of the views: unsent messages are the same in all. */
  get #entries(): UserEntry[] {
    const [view] = this.#views;
    return view ? userMessages(view.state()) : [];
  }

  /** Entries of the messages that are queued or have failed, oldest first. */
  get #unsent(): UnsentEntry[] {
    return this.#entries.filter(
      (entry): entry is UnsentEntry =>
        (entry.delivery === 'failed' || this.#find(entry.key) !== undefined) &&
        this.#idOf(entry.key) === null,
    );
  }

  get #failed(): UnsentEntry[] {
    return this.#unsent.filter(({ delivery }) => delivery === 'failed');
  }

  /** Returns the queued event with this key. */
  #find(key: string): QueueItem | undefined {
    return this.#queue.find((item) => item.key === key);
  }

  #dispatch(event: LocalEvent): void {
    for (const view of this.#views) view.dispatch(event);
  }
}

/** Returns the event that adds a message to a view in which it was not sent. */
function addedEvent(
  { key, at, content, mode, mentions }: Message & Pick<UserEntry, 'key' | 'at'>,
  parent: string | null | undefined,
): LocalEvent {
  const message = omitUndefined({ mode, mentions });
  return { type: 'local.message_added', key, at, content, ...message, parent, fromOtherView: true };
}

function deliveryEvent(
  key: string,
  delivery: UnsentEntry['delivery'],
  error: InlayError | null = null,
  retryAt: number | null = null,
): LocalEvent {
  return { type: 'local.delivery', key, delivery, error, retryAt };
}

/**
 * Makes the error of an unreadable 2xx response retryable. Whether the item is in the log is unknown,
 * but its idempotency key makes a retry safe.
 */
function asRetryable(error: unknown): unknown {
  const isUnreadable =
    isInlayError(error) && error.code === 'UNEXPECTED_RESPONSE' && (error.status ?? 500) < 300;
  return isUnreadable ? retryableOf(error) : error;
}

/** The type of the allowance that an error code reports as used up. */
const allowanceTypes: ReadonlyMap<string, string> = new Map([
  ['EMBED_BUDGET_EXCEEDED', 'session'],
  ['EMBED_QUOTA_EXCEEDED', 'day'],
]);

/**
 * Returns the allowance that an error reports as used up; null for other errors.
 *
 * @param now The current time, in milliseconds since the epoch.
 */
function allowanceOf({ code, retryAfterMs }: InlayError, now: number): Allowance | null {
  const type = allowanceTypes.get(code);
  if (type === undefined) return null;
  const resets_at = retryAfterMs === null ? null : new Date(now + retryAfterMs).toISOString();
  return { type, used: 1, resets_at };
}
