import type { UserContent, UserEventInput } from '@inlay/protocol';
import { asInlayError, InlayError, subjectChanged } from '../errors.ts';
import { given } from '../given.ts';
import { sessionPath } from '../http/platform.ts';
import type { Conversation } from '../inlay-client.ts';
import { Listeners } from '../listeners.ts';
import { SessionStream, type StreamContext, type StreamRequest } from '../stream/session-stream.ts';
import { readEventPage } from '../wire/answers.ts';
import { readEvent } from '../wire/read-event.ts';
import { loadHistory } from './load-history.ts';
import { Outbox, type OutboxItem } from './outbox.ts';
import { type ConversationEvent, initialConversationState, reduce } from './reducer.ts';
import type { Connection, ConversationState, Delivery } from './state.ts';

export interface ConversationOptions extends StreamContext {
  /** A conversation that exists; without it, the first message makes one. */
  readonly sessionId: string | null;
  /** It reads and sends nothing any more. */
  readonly onEnd: () => void;
}

/** Fragments of answers are wanted as they come, not only whole ones. */
const deltas = '?event_deltas[]=agent.message&event_deltas[]=agent.thinking';

/** How many events may wait for someone to look before they are applied anyway. */
const largestBatch = 1_000;

/** Settles when the stream that makes the session has made it. */
interface Creation {
  readonly item: OutboxItem;
  resolve: () => void;
  reject: (error: InlayError) => void;
}

/**
 * A conversation over one session: tells the reducer what comes from the server and what the person
 * does, and tells its listeners when there is something new to show.
 *
 * Its view may lose interest (`close`) before everything is sent that the person said. It then reads
 * no more, and lives on until its outbox is empty, or somebody ends it.
 */
export class SessionConversation implements Conversation {
  readonly #options: ConversationOptions;
  /** Until the view is not interested any more. */
  readonly #interest = new AbortController();
  /** Until nothing is sent any more. */
  readonly #life = new AbortController();
  readonly #listeners: Listeners;
  readonly #outbox: Outbox;
  /** Settles when the session of an old conversation is known, or can't be. */
  readonly #opened: Promise<void> | null;
  #state: ConversationState = initialConversationState;
  #batch: ConversationEvent[] = [];
  #cancelFrame: (() => void) | null = null;
  #stream: SessionStream | null = null;
  #creation: Creation | null = null;
  #sessionId: string | null;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#sessionId = options.sessionId;
    this.#listeners = new Listeners('subscribe', options.onDiagnostic);
    this.#outbox = new Outbox({
      ...options,
      signal: this.#life.signal,
      deliver: (item) => this.#deliver(item),
      onDelivery: (key, delivery, error) => this.#deliveryChanged(key, delivery, error),
      onEmpty: () => {
        if (this.#closed) this.end(closedError());
      },
    });
    this.#opened = this.#sessionId === null ? null : this.#open(this.#sessionId);
  }

  get state(): ConversationState {
    if (this.#batch.length > 0) this.#state = reduce(this.#state, this.#batch.splice(0));
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async send(message: string | UserContent): Promise<void> {
    this.#assertOpen();
    const content: UserContent =
      typeof message === 'string' ? [{ type: 'text', text: message }] : message;
    if (content.every((block) => block.type === 'text' && !block.text)) {
      throw new InlayError('INVALID_OPTION', 'send(message) needs a text or a content block.');
    }
    const { ports } = this.#options;
    const key = ports.uniqueId();
    this.#tell({ type: 'local.typed', key, content, at: ports.clock.now() });
    await this.#outbox.add({ key, event: { type: 'user.message', content } });
    await this.#opened;
  }

  stop(): void {
    const { running, stopping } = this.state;
    if (this.#closed || stopping || (!running && this.#outbox.empty)) return;
    this.#tell({ type: 'local.stopped' });
    // In its turn: after the message whose answer it stops. A stop that fails leaves the run going,
    // which the conversation shows.
    this.#act({ type: 'user.interrupt' }).catch(() => {});
  }

  retry(key?: string): void {
    if (this.#closed) return;
    for (const entry of this.state.entries) {
      if (entry.kind !== 'user' || entry.delivery !== 'failed') continue;
      if (key !== undefined && entry.key !== key) continue;
      this.#deliveryChanged(entry.key, 'queued', null);
      // Its first promise is settled; what becomes of it now shows in the conversation.
      const event: UserEventInput = { type: 'user.message', content: entry.content };
      this.#outbox.add({ key: entry.key, event }).catch(() => {});
    }
  }

  discard(key: string): void {
    if (!this.#closed) this.#tell({ type: 'local.discarded', key });
  }

  async confirmTool(
    tool_use_id: string,
    result: 'allow' | 'deny',
    deny_message?: string,
  ): Promise<void> {
    await this.#act({
      type: 'user.tool_confirmation',
      tool_use_id,
      result,
      ...given({ deny_message }),
    });
  }

  async submitToolResult(
    custom_tool_use_id: string,
    text: string,
    { isError: is_error }: { isError?: boolean } = {},
  ): Promise<void> {
    await this.#act({
      type: 'user.custom_tool_result',
      custom_tool_use_id,
      content: [{ type: 'text', text }],
      ...given({ is_error }),
    });
  }

  async rate(eventId: string, rating: 'up' | 'down', comment?: string): Promise<void> {
    this.#assertOpen();
    const before = this.state.entries.findLast((entry) => entry.id === eventId);
    if (before?.kind !== 'agent') {
      throw new InlayError('INVALID_OPTION', 'rate(eventId) needs the id of an answer.');
    }
    this.#tell({ type: 'local.rated', id: eventId, rating });
    try {
      await this.#options.platform.send(`${this.#path()}/feedback`, {
        method: 'POST',
        body: { event_id: eventId, rating, comment },
        signal: this.#interest.signal,
      });
    } catch (error) {
      this.#tell({ type: 'local.rated', id: eventId, rating: before.feedback });
      throw error;
    }
  }

  close(): void {
    this.#leave(null);
    if (this.#outbox.empty) this.end(closedError());
  }

  /** Ends it at once: what is still being sent fails with the error. */
  end(error: InlayError): void {
    if (this.#life.signal.aborted) return;
    this.#leave(null);
    this.#life.abort(error);
    this.#stream?.close();
    this.#creation?.reject(error);
    this.#options.onEnd();
  }

  /** Ends it and forgets what was said: another person looks at the page now. */
  wipe(): void {
    const error = subjectChanged();
    this.#batch = [];
    this.#state = initialConversationState;
    this.#leave(error);
    this.end(error);
  }

  /** The view is not interested any more. What the person said is still sent. */
  #leave(error: InlayError | null): void {
    if (this.#closed) return;
    this.#tell({ type: 'local.connection', connection: 'closed', error });
    this.#interest.abort(closedError());
    if (!this.#creation) this.#stream?.close();
    this.#cancelFrame?.();
    // At once, and not with the next paint: that one must show nothing of the former person.
    this.#listeners.notify();
    this.#listeners.clear();
  }

  get #closed(): boolean {
    return this.#interest.signal.aborted;
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError();
  }

  #path(): string {
    return sessionPath(this.#sessionId ?? '');
  }

  async #act(event: UserEventInput): Promise<void> {
    this.#assertOpen();
    await this.#outbox.add({ key: this.#options.ports.uniqueId(), event });
  }

  #deliveryChanged(
    key: string,
    delivery: Exclude<Delivery, 'sent'>,
    error: InlayError | null,
  ): void {
    this.#tell({ type: 'local.delivery', key, delivery, error });
  }

  async #deliver(item: OutboxItem): Promise<void> {
    if (this.#sessionId === null) {
      await this.#create(item);
    } else {
      const answer = await this.#options.platform.call(`${this.#path()}/events`, readEventPage, {
        method: 'POST',
        body: { events: [item.event] },
        idempotencyKey: item.key,
        signal: this.#life.signal,
      });
      for (const value of answer.data) {
        const read = readEvent(value);
        if (read.kind === 'log' && read.event.type === 'user.message') {
          this.#tell({ type: 'local.accepted', key: item.key, event: read.event });
        }
      }
    }
    this.#options.tokens.limit(null);
  }

  /** The first message makes the session, and the answer to it is the session's stream. */
  #create(item: OutboxItem): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#creation = { item, resolve, reject };
      this.#read(0);
    });
  }

  /** Reads what was said before: resolves when the newest of it is known. */
  async #open(sessionId: string): Promise<void> {
    const failed = (error: unknown) => {
      if (this.#closed) return;
      this.#tell({ type: 'local.loading', loading: false });
      if (!this.#stream) this.#connectionChanged('closed', asInlayError(error));
    };
    this.#tell({ type: 'local.loading', loading: true });
    this.#connectionChanged('connecting', null);
    try {
      const { lastSeq, loadOlder } = await loadHistory({
        ...this.#options,
        sessionId,
        signal: this.#interest.signal,
        onEvent: (event) => this.#tell(event),
      });
      if (this.#closed) return;
      this.#read(lastSeq);
      loadOlder().catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #read(after: number): void {
    this.#stream = new SessionStream({
      ...this.#options,
      after,
      request: () => this.#streamRequest(),
      onEvent: (event) => {
        this.#tell(event);
        if (event.type === 'session.created') this.#created(event.session.id);
      },
      onConnection: (connection) => this.#connectionChanged(connection, null),
      onEnd: (error) => this.#streamEnded(error),
      onDenied: (error) => {
        if (this.#creation) this.#streamEnded(error);
        else this.#connectionChanged('closed', error);
      },
    });
  }

  #streamRequest(): StreamRequest {
    const { platform } = this.#options;
    if (!this.#creation) {
      return { method: 'GET', url: platform.url(`${this.#path()}/events/stream${deltas}`) };
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
    this.#sessionId = sessionId;
    this.#creation?.resolve();
    this.#creation = null;
    if (this.#closed) this.#stream?.close();
  }

  #streamEnded(error: InlayError): void {
    const creation = this.#creation;
    this.#stream?.close();
    this.#stream = null;
    this.#creation = null;
    this.#connectionChanged(creation ? 'idle' : 'closed', error);
    creation?.reject(error);
  }

  #connectionChanged(connection: Connection, error: InlayError | null): void {
    if (!this.#closed) this.#tell({ type: 'local.connection', connection, error });
    if (!this.#creation) return;
    const { key } = this.#creation.item;
    this.#deliveryChanged(key, connection === 'offline' ? 'queued' : 'sending', null);
  }

  #tell(event: ConversationEvent): void {
    if (this.#life.signal.aborted) return;
    this.#batch.push(event);
    if (this.#batch.length >= largestBatch) this.#state = this.state;
    if (this.#closed) return;
    this.#cancelFrame ??= this.#options.ports.frame(() => {
      this.#cancelFrame = null;
      this.#listeners.notify();
    });
  }
}

function closedError(): InlayError {
  return new InlayError('CLOSED', 'The conversation was closed. Open it again to go on.');
}
