import type { Allowance, UserEventInput, UserMessageInput } from '@inlay/protocol';
import { readEvent } from '@inlay/protocol/read-event';
import { closedError, type InlayError, isInlayError, retryableOf } from '../errors.ts';
import { sessionPath } from '../http/api.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { readEventPage } from '../responses/read-responses.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import { type DraftStore, temporaryId } from './drafts.ts';
import { type Message, messageEvent } from './messages.ts';
import type { LocalEvent } from './reducer/events.ts';
import { type QueueItem, SendQueue } from './send-queue.ts';
import type { Delivery } from './state.ts';

/** A view of the session, which shows the unsent messages. */
export interface OutboxView {
  readonly dispatch: (event: LocalEvent) => void;
  /** Returns the id of a message; null if the view has not received it from the log. */
  readonly idOf: (key: string) => string | null;
  /** Returns the parent of a message in the view: see `parentOf` of `messages.ts`. */
  readonly parentOf: (key: string) => string | null | undefined;
  /** Creates the session with its first message. Called again after a failure. */
  readonly create: (item: QueueItem) => Promise<void>;
  /** Ends the view. `isWiped`: its state is cleared, because another user uses the page. */
  readonly end: (error: InlayError, isWiped?: boolean) => void;
}

interface OutboxOptions extends StreamContext {
  /** An existing session; null for one that the first message creates. */
  readonly sessionId: string | null;
  readonly drafts: DraftStore;
  /** Called when the outbox ends. */
  readonly onEnd: () => void;
}

/** A message that is not known to be in the log. */
interface UnsentMessage {
  readonly key: string;
  readonly message: Message;
  /** Time of the user's action, in milliseconds since the epoch. */
  readonly at: number;
  /** Id of the parent, or its key if it is unsent: see `parentOf` of `messages.ts`. */
  parent: string | null | undefined;
  /** The event that was sent. A retry with the same idempotency key needs the same body. */
  event: UserMessageInput | null;
  delivery: Exclude<Delivery, 'sent'>;
  error: InlayError | null;
  retryAt: number | null;
}

/**
 * Holds the unsent events of one session. The client has one outbox for each session. All views of
 * the session subscribe to it, and show the same unsent messages. Messages are also stored in the
 * draft store until they are in the log or discarded.
 *
 * An outbox ends when it has no views and nothing to send, when the client is closed, or when the user
 * changes. The next outbox of the session then claims its failed messages.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #queue: SendQueue;
  readonly #controller = new AbortController();
  readonly #views = new Set<OutboxView>();
  /** Closed views. They are removed when nothing is queued. */
  readonly #closedViews = new Set<OutboxView>();
  readonly #unsent = new Map<string, UnsentMessage>();
  /** The message that created the session. Its id is unknown until it arrives from the log. */
  #first: UnsentMessage | undefined;
  #sessionId: string | null;
  /** Id in the draft store of unsent messages while there is no session. */
  readonly #temporaryId: string;

  constructor(options: OutboxOptions) {
    const { ports, sessionId } = options;
    this.#options = options;
    this.#sessionId = sessionId;
    this.#temporaryId = temporaryId(ports.uniqueId());
    this.#queue = new SendQueue({
      ...options,
      signal: this.signal,
      deliver: (item) => this.#deliver(item),
      onDelivery: (key, delivery, error, retryAt) => {
        const allowance = error && allowanceOf(error, ports.clock.now());
        if (allowance) this.#dispatch({ type: 'local.allowances', allowances: [allowance] });
        this.#setDelivery(key, delivery, error, retryAt);
      },
      isInLog: (key) => this.#idOf(key) !== null,
      onDelivered: (key) => this.#handleDelivered(key),
      onEmpty: () => this.#removeClosedViews(),
    });
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Aborted when sending ends. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether nothing is queued or being sent. */
  get empty(): boolean {
    return this.#queue.empty;
  }

  /** Adds a view and shows it the unsent messages. */
  subscribe(view: OutboxView): void {
    this.#views.add(view);
    for (const unsent of this.#unsent.values()) {
      view.dispatch(addedEvent(unsent));
      view.dispatch(deliveryEvent(unsent));
    }
  }

  /** Removes a view when nothing is queued: until then, the view shows the delivery. */
  unsubscribe(view: OutboxView): void {
    this.#closedViews.add(view);
    if (this.empty) this.#removeClosedViews();
    // The next conversation without a session has another draft.
    else if (this.#sessionId === null) this.#options.drafts.move('', this.#temporaryId);
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
    return this.#add(view, this.#options.ports.uniqueId(), message, null);
  }

  /** Queues an event that is not a message. It is lost when the page is closed. */
  act(event: UserEventInput): Promise<void> {
    return this.#queue.add({ key: this.#options.ports.uniqueId(), event });
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
    if (key === undefined || this.#queue.has(key)) this.#queue.retryNow();
  }

  /** Sends queued events now, without waiting for their next retry. */
  retryNow(): void {
    this.#queue.retryNow();
  }

  /** Removes a message that failed or is queued with a `retryAt`. */
  discard(key: string): void {
    const unsent = this.#unsent.get(key);
    if (!unsent) return;
    // A message that is being sent can't be discarded, because the platform may receive it.
    if (this.#queue.has(key) && (unsent.retryAt === null || !this.#queue.discard(key))) return;
    this.#remove(unsent, null);
    this.#dispatch({ type: 'local.discarded', key });
  }

  /** Completes messages that are in the log although their response was lost or unreadable. */
  checkLog(): void {
    this.#queue.checkLog();
    this.#dropLogged();
  }

  /** Moves unsent messages and the draft to the new session id. */
  handleCreated(sessionId: string): void {
    this.#sessionId = sessionId;
    const { drafts } = this.#options;
    drafts.move(this.#temporaryId, sessionId);
    if (this.#closedViews.size === 0) drafts.move('', sessionId);
  }

  /**
   * Ends sending immediately. Queued events fail with `error`.
   *
   * @param isWiped Whether to clear the views, because another user uses the page.
   */
  end(error: InlayError, isWiped = false): void {
    if (this.signal.aborted) return;
    this.#options.onEnd();
    // A listener of a view may open the session again, with another outbox.
    for (const view of this.#views) view.end(error, isWiped);
    this.#controller.abort(error);
    this.#views.clear();
    for (const { key, delivery } of this.#unsent.values()) {
      if (delivery === 'failed') this.#options.drafts.release(key);
    }
  }

  #removeClosedViews(): void {
    for (const view of this.#closedViews) {
      this.#views.delete(view);
      view.end(closedError());
    }
    this.#closedViews.clear();
    if (this.#views.size === 0) this.end(closedError());
  }

  #add(
    view: OutboxView,
    key: string,
    message: Message,
    event: UserMessageInput | null,
  ): Promise<void> {
    const at = this.#options.ports.clock.now();
    view.dispatch({ type: 'local.message_added', key, at, ...message });
    const parent = view.parentOf(key);
    const unsent: UnsentMessage = {
      ...{ key, message, at, parent, event },
      ...{ delivery: 'queued', error: null, retryAt: null },
    };
    this.#unsent.set(key, unsent);
    for (const other of this.#views) if (other !== view) other.dispatch(addedEvent(unsent));
    this.#store(unsent);
    return this.#enqueue(unsent);
  }

  #enqueue(unsent: UnsentMessage): Promise<void> {
    return this.#queue.add({
      key: unsent.key,
      // The event is built when it is sent, because the id of its parent may be unknown before.
      event: () => {
        unsent.event = this.#store(unsent);
        return unsent.event;
      },
    });
  }

  /** Builds the event of a message and stores it. */
  #store({ key, message, parent, event: sent }: UnsentMessage): UserMessageInput {
    const event = sent ?? messageEvent(message, this.#parentId(parent));
    this.#options.drafts.add(this.#sessionId ?? this.#temporaryId, key, event);
    return event;
  }

  /** Returns the id of the nearest ancestor that is in the log. */
  #parentId(parent: string | null | undefined): string | null | undefined {
    if (typeof parent !== 'string') return parent;
    const id = this.#idOf(parent);
    if (id !== null) return id;
    const unsent =
      this.#unsent.get(parent) ?? (this.#first?.key === parent ? this.#first : undefined);
    return unsent ? this.#parentId(unsent.parent) : parent;
  }

  #idOf(key: string): string | null {
    return [...this.#views].map((view) => view.idOf(key)).find((id) => id !== null) ?? null;
  }

  /** Appends an item to the log, or creates the session with it. */
  async #deliver(item: QueueItem): Promise<void> {
    const [creator] = this.#views;
    try {
      if (this.#sessionId !== null) {
        await this.#append(item);
      } else {
        // An interrupt never creates a session.
        if (item.event.type !== 'user.message') return;
        await creator?.create(item);
        this.#first = this.#unsent.get(item.key);
      }
    } catch (error) {
      throw asRetryable(error);
    }
    this.#options.tokens.limit(null);
  }

  async #append({ key, event }: QueueItem): Promise<void> {
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

  #handleDelivered(key: string): void {
    const unsent = this.#unsent.get(key);
    if (unsent) this.#remove(unsent, this.#idOf(key));
  }

  /** Removes a message. Its children get its id as their parent, or its own parent if it has no id. */
  #remove({ key, parent }: UnsentMessage, id: string | null): void {
    this.#unsent.delete(key);
    for (const other of this.#unsent.values()) {
      if (other.parent === key) other.parent = id ?? parent;
    }
    this.#options.drafts.remove(key);
  }

  #retryFailed(key?: string): void {
    for (const unsent of [...this.#unsent.values()]) {
      if (unsent.delivery !== 'failed') continue;
      if (key !== undefined && unsent.key !== key && this.#sessionId !== null) continue;
      this.#setDelivery(unsent.key, 'queued', null, null);
      // The state shows a failure.
      this.#enqueue(unsent).catch(() => {});
    }
  }

  #setDelivery(
    key: string,
    delivery: UnsentMessage['delivery'],
    error: InlayError | null,
    retryAt: number | null,
  ): void {
    const unsent = this.#unsent.get(key);
    if (!unsent) return;
    Object.assign(unsent, { delivery, error, retryAt });
    this.#dispatch(deliveryEvent(unsent));
    if (delivery === 'failed') this.#dropLogged();
  }

  /** Drops failed messages that are in the log after all. */
  #dropLogged(): void {
    for (const { key, delivery } of this.#unsent.values()) {
      if (delivery === 'failed' && this.#idOf(key) !== null) this.#unsent.delete(key);
    }
  }

  #dispatch(event: LocalEvent): void {
    for (const view of this.#views) view.dispatch(event);
  }
}

/** Returns the event that adds a message to other views. */
function addedEvent({ key, message, at, parent }: UnsentMessage): LocalEvent {
  return { type: 'local.message_added', key, at, ...message, parent, fromOtherView: true };
}

function deliveryEvent({ key, delivery, error, retryAt }: UnsentMessage): LocalEvent {
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
