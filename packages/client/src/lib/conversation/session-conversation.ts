import type { DeltaType, UserContent, UserEventInput } from '@inlay/protocol';
import type { DiagnosticListener } from '../diagnostics.ts';
import { InlayError } from '../errors.ts';
import type { Platform } from '../http/platform.ts';
import type { Conversation } from '../inlay-client.ts';
import { Listeners } from '../listeners.ts';
import type { Ports } from '../ports.ts';
import { SessionStream } from '../stream/session-stream.ts';
import type { StreamTransport } from '../stream/transport.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import { readEventPage } from '../wire/answers.ts';
import { readEvent } from '../wire/read-event.ts';
import { loadHistory } from './load-history.ts';
import { Outbox, type OutboxItem } from './outbox.ts';
import { type ConversationEvent, initialConversationState, reduce } from './reducer.ts';
import type { Connection, ConversationState } from './state.ts';

export interface ConversationOptions {
  readonly ports: Ports;
  readonly tokens: TokenManager;
  readonly platform: Platform;
  readonly transport: StreamTransport;
  readonly onDiagnostic: DiagnosticListener;
  /** A conversation that exists; without it, the first message makes one. */
  readonly sessionId?: string | undefined;
  readonly onClose: () => void;
}

/** Fragments of answers are wanted as they come, not only whole ones. */
const deltas = {
  'event_deltas[]': ['agent.message', 'agent.thinking'] satisfies DeltaType[],
};

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
 */
export class SessionConversation implements Conversation {
  readonly #options: ConversationOptions;
  readonly #life = new AbortController();
  readonly #listeners: Listeners;
  readonly #outbox: Outbox;
  #state: ConversationState = initialConversationState;
  #batch: ConversationEvent[] = [];
  #cancelFrame: (() => void) | null = null;
  #stream: SessionStream | null = null;
  #creation: Creation | null = null;
  #sessionId: string | null;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#sessionId = options.sessionId ?? null;
    this.#listeners = new Listeners('subscribe', options.onDiagnostic);
    this.#outbox = new Outbox({
      ports: options.ports,
      tokens: options.tokens,
      deliver: (item) => this.#deliver(item),
      onSending: ({ key }) => this.#deliveryChanged(key, 'sending', null),
      onWaiting: ({ key }, error, delay) => {
        if (error) options.onDiagnostic({ type: 'send_retry', code: error.code, delay });
        else this.#deliveryChanged(key, 'queued', null);
      },
      onFailed: ({ key }, error) => this.#deliveryChanged(key, 'failed', error),
    });
    if (this.#sessionId !== null) void this.#open(this.#sessionId);
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
    if (content.length === 0 || content.every((block) => block.type === 'text' && !block.text)) {
      throw new InlayError('INVALID_OPTION', 'send(message) needs a text or a content block.');
    }
    const { ports } = this.#options;
    const key = ports.uniqueId();
    this.#tell({ type: 'local.typed', key, content, at: ports.clock.now() });
    await this.#outbox.add({ key, event: { type: 'user.message', content } });
  }

  stop(): void {
    const { running, stopping } = this.state;
    if (this.#life.signal.aborted || stopping) return;
    if (!running && !this.#outbox.holds('user.message')) return;
    this.#tell({ type: 'local.stopped' });
    // In its turn: after the message whose answer it stops. A stop that fails leaves the run going,
    // which the conversation shows.
    this.#act({ type: 'user.interrupt' }).catch(() => {});
  }

  retry(key?: string): void {
    if (!this.#life.signal.aborted) this.#outbox.retry(key);
  }

  async confirmTool(id: string, decision: 'allow' | 'deny', message?: string): Promise<void> {
    await this.#act({
      type: 'user.tool_confirmation',
      tool_use_id: id,
      result: decision,
      ...(message === undefined ? {} : { deny_message: message }),
    });
  }

  async submitToolResult(
    id: string,
    content: string,
    options: { isError?: boolean } = {},
  ): Promise<void> {
    await this.#act({
      type: 'user.custom_tool_result',
      custom_tool_use_id: id,
      content: [{ type: 'text', text: content }],
      ...(options.isError === undefined ? {} : { is_error: options.isError }),
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
        body: { event_id: eventId, rating, ...(comment === undefined ? {} : { comment }) },
        signal: this.#life.signal,
      });
    } catch (error) {
      this.#tell({ type: 'local.rated', id: eventId, rating: before.feedback });
      throw error;
    }
  }

  close(): void {
    this.#end(new InlayError('CLOSED', 'The conversation was closed.'), false);
  }

  /** Closes it and forgets what was said: another person looks at the page now. */
  wipe(): void {
    this.#end(new InlayError('SUBJECT_CHANGED', 'Another person uses the page now.'), true);
  }

  #end(error: InlayError, forget: boolean): void {
    if (this.#life.signal.aborted) return;
    this.#life.abort(error);
    this.#outbox.close(error);
    this.#stream?.close();
    this.#creation?.reject(error);
    this.#cancelFrame?.();
    this.#state = {
      ...reduce(forget ? initialConversationState : this.state, {
        type: 'local.connection',
        connection: 'closed',
        error: forget ? error : null,
      }),
      running: false,
    };
    this.#batch = [];
    // At once, and not with the next paint: that one must show nothing of the former person.
    this.#listeners.notify();
    this.#listeners.clear();
    this.#options.onClose();
  }

  #assertOpen(): void {
    if (this.#life.signal.aborted) {
      throw new InlayError('CLOSED', 'The conversation was closed. Open it again to go on.');
    }
  }

  #path(): string {
    return `/sessions/${encodeURIComponent(this.#sessionId ?? '')}`;
  }

  async #act(event: UserEventInput): Promise<void> {
    this.#assertOpen();
    await this.#outbox.add({ key: this.#options.ports.uniqueId(), event });
  }

  #deliveryChanged(
    key: string,
    delivery: 'queued' | 'sending' | 'failed',
    error: InlayError | null,
  ) {
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

  async #open(sessionId: string): Promise<void> {
    const { ports, tokens, platform, onDiagnostic } = this.#options;
    this.#tell(
      { type: 'local.loading', loading: true },
      { type: 'local.connection', connection: 'connecting', error: null },
    );
    try {
      const { lastSeq, loadOlder } = await loadHistory({
        platform,
        sessionId,
        persist: { ports, tokens, signal: this.#life.signal, outlastDenial: true },
        onEvent: (event) => this.#tell(event),
        onDiagnostic,
      });
      if (this.#life.signal.aborted) return;
      this.#read(lastSeq);
      await loadOlder();
    } catch (error) {
      if (this.#life.signal.aborted) return;
      this.#tell({ type: 'local.loading', loading: false });
      if (!this.#stream)
        this.#connectionChanged('closed', error instanceof InlayError ? error : null);
    }
  }

  #read(after: number): void {
    const { ports, tokens, platform, transport, onDiagnostic } = this.#options;
    this.#stream = new SessionStream({
      ports,
      tokens,
      platform,
      transport,
      after,
      onDiagnostic,
      request: () => this.#streamRequest(),
      onEvent: (event) => {
        if (event.type === 'session.created') this.#created(event.session.id);
        this.#tell(event);
      },
      onConnection: (connection) => this.#connectionChanged(connection, null),
      onEnd: (error) => this.#streamEnded(error),
      onDenied: (error) => {
        if (this.#creation) this.#streamEnded(error);
        else this.#connectionChanged('closed', error);
      },
    });
  }

  #streamRequest() {
    const { platform } = this.#options;
    if (this.#creation) {
      const { key, event } = this.#creation.item;
      return {
        method: 'POST' as const,
        url: platform.url('/sessions', deltas),
        body: { initial_events: [event] },
        idempotencyKey: key,
      };
    }
    return {
      method: 'GET' as const,
      url: platform.url(`${this.#path()}/events/stream`, deltas),
    };
  }

  #created(sessionId: string): void {
    this.#sessionId = sessionId;
    this.#creation?.resolve();
    this.#creation = null;
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
    this.#tell({ type: 'local.connection', connection, error });
    if (!this.#creation) return;
    const { key } = this.#creation.item;
    this.#deliveryChanged(key, connection === 'offline' ? 'queued' : 'sending', null);
  }

  #tell(...events: ConversationEvent[]): void {
    if (this.#life.signal.aborted) return;
    this.#batch.push(...events);
    if (this.#batch.length >= largestBatch) this.#state = this.state;
    this.#cancelFrame ??= this.#options.ports.frame(() => {
      this.#cancelFrame = null;
      this.#listeners.notify();
    });
  }
}
