import { asInlayError, type InlayError } from '../errors.ts';
import { sessionPath } from '../http/api.ts';
import { readSession } from '../responses/read-responses.ts';
import { SessionStream, type StreamRequest } from '../stream/session-stream.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import type { Connection } from '../stream/transport.ts';
import { type History, loadHistory } from './history.ts';
import type { Outbox, OutgoingEvent } from './outbox.ts';
import type { ConversationStore } from './store.ts';

/** Query that requests fragments of agent messages as they are generated. */
const deltasQuery = '?event_deltas[]=agent.message&event_deltas[]=agent.thinking';

export interface SessionLinkOptions extends StreamContext {
  readonly store: ConversationStore;
  readonly outbox: Outbox;
  /** Aborted when the conversation is closed, so that no more events are read for it. */
  readonly signal: AbortSignal;
}

/** The creation of a session by its first message. `resolve` is called when the session’s id is known. */
interface Creation {
  readonly message: OutgoingEvent;
  resolve: () => void;
  reject: (error: InlayError) => void;
}

/** Connects a conversation to its session: creates the session and reads its log. */
export class SessionLink {
  readonly #options: SessionLinkOptions;
  /** Resolves when an existing session was loaded or failed to load; null for a new one. */
  readonly opened: Promise<void> | null;
  #stream: SessionStream | null = null;
  #history: History | null = null;
  #creation: Creation | null = null;
  /** Whether the session is also being created without a stream. */
  #isCreatingWithoutStream = false;

  constructor(options: SessionLinkOptions) {
    this.#options = options;
    const id = this.#sessionId;
    this.opened = id === null ? null : this.#open(id);
  }

  /** The path of the session. */
  get path(): string {
    return sessionPath(this.#sessionId ?? '');
  }

  get #sessionId(): string | null {
    return this.#options.outbox.sessionId;
  }

  /** Gives this conversation's stream priority among the tabs, because the user is active here. */
  claim(): void {
    this.#stream?.claim();
  }

  /** Reconnects without waiting for the backoff. */
  reconnect(): void {
    this.#stream?.reconnect();
  }

  /** Loads an earlier page of the log. */
  async loadEarlier(): Promise<void> {
    await this.#history?.loadEarlier();
  }

  /** Creates the session with its first message. A retry is idempotent. */
  create(message: OutgoingEvent): Promise<void> {
    const { buffersStreams } = this.#options.network;
    return buffersStreams ? this.#createWithoutStream(message) : this.#createByStream(message);
  }

  /** Stops reading, after a pending creation of the session has ended. */
  stopReading(): void {
    if (!this.#creation) this.#stream?.close();
  }

  /** Stops reading. A pending creation of the session fails with `error`. */
  end(error: InlayError): void {
    this.#stream?.close();
    this.#creation?.reject(error);
  }

  /** Creates the session with its first message. The response is the session's stream. */
  #createByStream(message: OutgoingEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#creation = { message, resolve, reject };
      this.#openStream(0);
      this.#stream?.claim();
    });
  }

  /**
   * Creates the session without a stream, because a proxy buffers streams. The same idempotency key
   * returns the session that an earlier request created.
   */
  async #createWithoutStream({ key, event }: OutgoingEvent): Promise<void> {
    const { platform, store } = this.#options;
    const session = await platform.call('/sessions', readSession, {
      method: 'POST',
      body: { initial_events: [event] },
      idempotencyKey: key,
    });
    if (this.#sessionId !== null) return;
    store.dispatch({ type: 'local.session', session });
    this.#handleCreated(session.id);
    if (this.#stream) this.#stream.restart();
    else this.#openStream(0);
  }

  /** Loads the newest page of the log, then opens the stream. Never rejects. */
  async #open(sessionId: string): Promise<void> {
    const { signal, store, onDiagnostic } = this.#options;
    const handleFailure = (cause: unknown) => {
      if (signal.aborted) return;
      const error = asInlayError(cause, onDiagnostic);
      store.dispatch({ type: 'local.loading', loading: false });
      if (!this.#stream) this.#setConnection('closed', error);
    };
    store.dispatch({ type: 'local.loading', loading: true });
    this.#setConnection('connecting', null);
    try {
      const history = await loadHistory({ ...this.#options, sessionId });
      if (signal.aborted) return;
      this.#history = history;
      this.#openStream(history.lastSeq);
      history.loadRequired().catch(handleFailure);
    } catch (error) {
      handleFailure(error);
    }
  }

  /** Opens the stream, which sends the events after this `seq`. */
  #openStream(after: number): void {
    if (this.#options.signal.aborted && !this.#creation) return;
    const { store, outbox } = this.#options;
    this.#stream = new SessionStream({
      ...this.#options,
      after,
      sessionId: () => this.#sessionId,
      running: () => store.state.running,
      request: () => this.#streamRequest(),
      onEvent: (event) => {
        store.dispatch(event);
        if (event.type === 'session.created') this.#handleCreated(event.session.id);
        if (event.type === 'user.message') outbox.checkLog();
      },
      onConnection: (connection, retryAt) => this.#setConnection(connection, null, retryAt),
      onEnd: (error) => this.#handleStreamEnd(error),
      onDenied: (error) => {
        if (this.#creation) this.#handleStreamEnd(error);
        else this.#setConnection('closed', error);
      },
      onSilent: () => {
        const { message } = this.#creation ?? {};
        if (!message || this.#isCreatingWithoutStream) return;
        this.#isCreatingWithoutStream = true;
        // A failed request is ignored: the request for the stream is still pending.
        this.#createWithoutStream(message)
          .catch((error) => asInlayError(error, this.#options.onDiagnostic))
          .finally(() => {
            this.#isCreatingWithoutStream = false;
          });
      },
    });
  }

  #streamRequest(): StreamRequest {
    const { platform } = this.#options;
    if (!this.#creation) {
      return { method: 'GET', url: platform.url(`${this.path}/events/stream${deltasQuery}`) };
    }
    const { key, event } = this.#creation.message;
    return {
      method: 'POST',
      url: platform.url(`/sessions${deltasQuery}`),
      body: { initial_events: [event] },
      idempotencyKey: key,
    };
  }

  #handleCreated(sessionId: string): void {
    if (this.#sessionId !== null) return;
    this.#options.outbox.handleCreated(sessionId);
    this.#creation?.resolve();
    this.#creation = null;
    if (this.#options.signal.aborted) this.#stream?.close();
  }

  #handleStreamEnd(error: InlayError): void {
    const creation = this.#creation;
    this.#stream?.close();
    this.#stream = null;
    this.#creation = null;
    this.#setConnection(creation ? 'idle' : 'closed', error);
    creation?.reject(error);
  }

  #setConnection(
    connection: Connection,
    error: InlayError | null,
    retryAt: number | null = null,
  ): void {
    const { store, signal } = this.#options;
    if (!signal.aborted) store.dispatch({ type: 'local.connection', connection, error, retryAt });
    if (!this.#creation) return;
    // The request of the stream also sends the first message.
    const { key } = this.#creation.message;
    const delivery = connection === 'offline' ? 'queued' : 'sending';
    store.dispatch({ type: 'local.delivery', key, delivery, error: null });
  }
}
