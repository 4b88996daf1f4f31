import { asInlayError, type InlayError, retryableOf } from '../errors.ts';
import { sessionPath } from '../http/api.ts';
import type { Connection } from '../stream/connection.ts';
import { SessionStream, type StreamRequest } from '../stream/session-stream.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import { readEventPage, readSession } from '../wire/answers.ts';
import { readEvent } from '../wire/read-event.ts';
import { type History, loadHistory } from './load-history.ts';
import type { ConversationEvent } from './local-events.ts';
import type { OutboxItem } from './outbox.ts';
import type { ConversationState } from './state.ts';

/** Fragments of answers are wanted as they come, not only whole ones. */
const deltas = '?event_deltas[]=agent.message&event_deltas[]=agent.thinking';

export interface SessionLinkOptions extends StreamContext {
  /** A session that exists; null for one that the first message makes. */
  readonly sessionId: string | null;
  /** Until nobody reads any more. */
  readonly interest: AbortSignal;
  /** Until nothing is sent any more. */
  readonly life: AbortSignal;
  readonly state: () => ConversationState;
  readonly tell: (event: ConversationEvent) => void;
  /** The first message has made the session. */
  readonly onCreated: (sessionId: string) => void;
}

/** Settles when the session that a message makes is known. */
interface Creation {
  readonly item: OutboxItem;
  resolve: () => void;
  reject: (error: InlayError) => void;
}

/** The way between a conversation and its session: makes it, reads it, brings messages into it. */
export class SessionLink {
  readonly #options: SessionLinkOptions;
  /** Settles when the session of an old conversation is known, or can't be. */
  readonly opened: Promise<void> | null;
  #stream: SessionStream | null = null;
  #history: History | null = null;
  #creation: Creation | null = null;
  /** Whether the session is asked for beside the stream that makes it. */
  #asking = false;
  #sessionId: string | null;

  constructor(options: SessionLinkOptions) {
    this.#options = options;
    this.#sessionId = options.sessionId;
    this.opened = this.#sessionId === null ? null : this.#open(this.#sessionId);
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** The path of the session. */
  get path(): string {
    return sessionPath(this.#sessionId ?? '');
  }

  /** The person does something: this conversation comes first among those that want to read. */
  claim(): void {
    this.#stream?.claim();
  }

  /** The person does not want to wait for the next attempt. */
  reconnect(): void {
    this.#stream?.reconnect();
  }

  /** Reads a part of the log before what was read. */
  async loadEarlier(): Promise<void> {
    await this.#history?.loadEarlier();
  }

  /** Brings one item into the log. It may be called again for the same item. */
  async deliver(item: OutboxItem): Promise<void> {
    // A stop of what failed before it has nothing to stop, and makes no session.
    if (this.#sessionId === null && item.event.type !== 'user.message') return;
    const { way, tokens } = this.#options;
    try {
      if (this.#sessionId !== null) await this.#append(item);
      else await (way.buffered ? this.#createPlainly(item) : this.#create(item));
    } catch (error) {
      throw unreadable(error);
    }
    tokens.limit(null);
  }

  /** Reads no more. A session that is being made is still waited for. */
  leave(): void {
    if (!this.#creation) this.#stream?.close();
  }

  end(error: InlayError): void {
    this.#stream?.close();
    this.#creation?.reject(error);
  }

  async #append({ key, event }: OutboxItem): Promise<void> {
    const answer = await this.#options.platform.call(`${this.path}/events`, readEventPage, {
      method: 'POST',
      body: { events: [event] },
      idempotencyKey: key,
      signal: this.#options.life,
    });
    for (const value of answer.data) {
      const read = readEvent(value);
      if (read.kind === 'log' && read.event.type === 'user.message') {
        this.#options.tell({ type: 'local.accepted', key, event: read.event });
      }
    }
  }

  /** The first message makes the session, and the answer to it is the session's stream. */
  #create(item: OutboxItem): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#creation = { item, resolve, reject };
      this.#read(0);
      this.#stream?.claim();
    });
  }

  /** The same where streams do not come through: the repeat of a creation gets what it made. */
  async #createPlainly({ key, event }: OutboxItem): Promise<void> {
    const { platform, life, tell } = this.#options;
    const session = await platform.call('/sessions', readSession, {
      method: 'POST',
      body: { initial_events: [event] },
      idempotencyKey: key,
      signal: life,
    });
    if (this.#sessionId !== null) return;
    tell({ type: 'local.session', session });
    this.#created(session.id);
    if (this.#stream) this.#stream.restart();
    else this.#read(0);
  }

  /** Reads what was said before: resolves when the newest of it is known. */
  async #open(sessionId: string): Promise<void> {
    const { interest, tell } = this.#options;
    const failed = (error: unknown) => {
      if (interest.aborted) return;
      tell({ type: 'local.loading', loading: false });
      if (!this.#stream) this.#connectionChanged('closed', asInlayError(error));
    };
    tell({ type: 'local.loading', loading: true });
    this.#connectionChanged('connecting', null);
    try {
      const history = await loadHistory({
        ...this.#options,
        sessionId,
        signal: interest,
        onEvent: tell,
      });
      if (interest.aborted) return;
      this.#history = history;
      this.#read(history.lastSeq);
      history.loadLacking().catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #read(after: number): void {
    if (this.#options.interest.aborted && !this.#creation) return;
    this.#stream = new SessionStream({
      ...this.#options,
      after,
      sessionId: () => this.#sessionId,
      running: () => this.#options.state().running,
      request: () => this.#streamRequest(),
      onEvent: (event) => {
        this.#options.tell(event);
        if (event.type === 'session.created') this.#created(event.session.id);
      },
      onConnection: (connection, retryAt) => this.#connectionChanged(connection, null, retryAt),
      onEnd: (error) => this.#streamEnded(error),
      onDenied: (error) => {
        if (this.#creation) this.#streamEnded(error);
        else this.#connectionChanged('closed', error);
      },
      onSilent: () => {
        const { item } = this.#creation ?? {};
        if (!item || this.#asking) return;
        this.#asking = true;
        // What stands in its way, the stream will hear as well.
        this.#createPlainly(item)
          .catch(() => {})
          .finally(() => {
            this.#asking = false;
          });
      },
    });
  }

  #streamRequest(): StreamRequest {
    const { platform } = this.#options;
    if (!this.#creation) {
      return { method: 'GET', url: platform.url(`${this.path}/events/stream${deltas}`) };
    }
    const { key, event } = this.#creation.item;
    return {
      method: 'POST',
      url: platform.url(`/sessions${deltas}`),
      body: { initial_events: [event] },
      idempotencyKey: key,
    };
  }

  #created(sessionId: string): void {
    if (this.#sessionId !== null) return;
    this.#sessionId = sessionId;
    this.#options.onCreated(sessionId);
    this.#creation?.resolve();
    this.#creation = null;
    if (this.#options.interest.aborted) this.#stream?.close();
  }

  #streamEnded(error: InlayError): void {
    const creation = this.#creation;
    this.#stream?.close();
    this.#stream = null;
    this.#creation = null;
    this.#connectionChanged(creation ? 'idle' : 'closed', error);
    creation?.reject(error);
  }

  #connectionChanged(
    connection: Connection,
    error: InlayError | null,
    retryAt: number | null = null,
  ): void {
    const { tell, interest } = this.#options;
    if (!interest.aborted) tell({ type: 'local.connection', connection, error, retryAt });
    if (!this.#creation) return;
    const { key } = this.#creation.item;
    const delivery = connection === 'offline' ? 'queued' : 'sending';
    tell({ type: 'local.delivery', key, delivery, error: null });
  }
}

/**
 * An answer of success in another shape does not say whether the item is in the log. Its key makes a
 * repeat harmless.
 */
function unreadable(cause: unknown): InlayError {
  const error = asInlayError(cause);
  const isSuccess = (error.status ?? 500) < 300;
  return error.code === 'UNEXPECTED_RESPONSE' && isSuccess ? retryableOf(error) : error;
}
