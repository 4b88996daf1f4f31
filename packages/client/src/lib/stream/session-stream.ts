/**
 * Reads the events of a session. An event passes these files from the socket to the store:
 *
 * 1. `stream/sse.ts` sends the request of one attempt, and splits its bytes into messages.
 * 2. `stream/session-stream.ts` (this file) connects with the current token and the last event id,
 *    and reconnects.
 * 3. `stream/event-deduplicator.ts` drops events that were delivered before.
 * 4. `@inlay/protocol/read-event` checks the fields of an event.
 * 5. `conversation/session-link.ts` dispatches events to the store of its conversation.
 * 6. `conversation/store.ts` applies batches of events to the state with the reducer, and
 *    notifies listeners before the next paint.
 *
 * In addition, `reconnect-backoff.ts` computes the wait between attempts, `visibility-gate.ts` closes
 * the streams of hidden tabs, `tab-slots.ts` shares the connections of a browser between tabs,
 * `stream-watchdog.ts` detects silent connections, and `log-polling.ts` polls the log where a proxy
 * buffers streams or other tabs have all slots.
 */

import { longWaitEnd } from '../backoff.ts';
import {
  asInlayError,
  type InlayError,
  isTemporary,
  networkError,
  throwNetworkError,
} from '../errors.ts';
import { type RequestFields, requestInit } from '../http/request.ts';
import type { PageSignal } from '../ports.ts';
import { waitForAuth } from '../retry.ts';
import { EventDeduplicator, type EventDeduplicatorOptions } from './event-deduplicator.ts';
import type { LogPoller } from './log-polling.ts';
import { ReconnectBackoff } from './reconnect-backoff.ts';
import { sseTransport } from './sse.ts';
import type { StreamContext } from './stream-context.ts';
import { StreamWatchdog } from './stream-watchdog.ts';
import { TabSlots } from './tab-slots.ts';
import type { Connection, StreamMessage } from './transport.ts';
import { VisibilityGate } from './visibility-gate.ts';

/** The request of one attempt. */
export interface StreamRequest extends RequestFields {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

export interface SessionStreamOptions extends StreamContext, EventDeduplicatorOptions {
  /** Id of the session; null while it is being created. */
  readonly sessionId: () => string | null;
  /** Whether the agent is answering, so that events are expected. */
  readonly running: () => boolean;
  readonly request: () => StreamRequest;
  /**
   * @param retryAt Time of the next attempt in milliseconds since the epoch, if the platform requested
   *   a wait of more than a minute; otherwise null.
   */
  readonly onConnection: (connection: Connection, retryAt: number | null) => void;
  /** Called when the stream ends for good: the session is gone, or the platform rejects the request. */
  readonly onEnd: (error: InlayError) => void;
  /** Called when access is denied. Reading resumes when it is granted again. */
  readonly onDenied: (error: InlayError) => void;
  /** Called when the stream that creates a session is silent, and may never deliver the session's id. */
  readonly onSilent?: () => void;
}

/**
 * Keeps a stream of a session open across disconnects, sleep and expiring tokens. The transport reads
 * one attempt; this class decides when to make the next attempt. It resumes after the last processed
 * event, and forwards every event once.
 *
 * It polls the log while the stream is silent, and in a tab without a slot.
 */
export class SessionStream {
  readonly #options: SessionStreamOptions;
  readonly #controller = new AbortController();
  readonly #events: EventDeduplicator;
  readonly #backoff: ReconnectBackoff;
  readonly #gate: VisibilityGate;
  readonly #slots: TabSlots;
  readonly #unsubscribe: () => void;
  readonly #asInlayError = (error: unknown): InlayError =>
    asInlayError(error, this.#options.onDiagnostic);
  #attempt: StreamWatchdog | null = null;
  #poller: LogPoller | null = null;
  #opened = false;
  #connection: Connection = 'idle';
  #retryAt: number | null = null;
  /** Whether the last attempt got no response. */
  #isUnreachable = false;

  constructor(options: SessionStreamOptions) {
    this.#options = options;
    const { ports, platform, onEvent } = options;
    this.#events = new EventDeduplicator({
      ...options,
      onEvent: (event) => {
        this.#backoff.handleEvent();
        onEvent(event);
      },
    });
    this.#backoff = new ReconnectBackoff(ports);
    this.#gate = new VisibilityGate(ports, () => {
      this.#slots.release();
      this.#interrupt();
    });
    this.#slots = new TabSlots({
      ports,
      baseUrl: platform.url(''),
      network: options.network,
      onChange: () => this.#handleSlotChange(),
    });
    const unwatch = ports.page.watch((signal) => this.#handlePage(signal));
    const unsubscribe = options.reachability.subscribe(() => {
      if (this.#isUnreachable) this.#backoff.retryNow();
    });
    this.#unsubscribe = () => {
      unwatch();
      unsubscribe();
    };
    if (this.#gate.open) this.#slots.claim();
    void this.#run();
  }

  /** Gives this stream priority among the tabs, because the user is active here. */
  claim(): void {
    this.#gate.reopen();
    this.#slots.claim();
  }

  /** Reconnects now, because the user requested it. */
  reconnect(): void {
    this.#gate.reopen();
    this.#backoff.retryNow(true);
    if (this.#connection !== 'open') this.#interrupt();
  }

  /** Closes the open stream and immediately opens another stream. */
  restart(): void {
    this.#backoff.retryNow();
    this.#attempt?.end();
  }

  close(): void {
    if (this.#controller.signal.aborted) return;
    this.#unsubscribe();
    this.#gate.close();
    this.#slots.close();
    this.#controller.abort();
    this.#interrupt();
  }

  get #closed(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Whether other tabs have all slots. False while the session is being created, which needs a stream. */
  get #hasNoSlot(): boolean {
    return this.#slots.areTaken && this.#options.sessionId() !== null;
  }

  /** Ends the current stream and poll. */
  #interrupt(): void {
    this.#poller?.stop();
    this.#attempt?.end();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      if (!this.#gate.open) this.#setConnection(this.#gate.connection);
      await this.#gate.waitUntilOpen(this.#controller.signal);
      if (this.#closed) return;
      if (this.#connection !== 'open')
        this.#setConnection(this.#opened ? 'reconnecting' : 'connecting');
      const id = this.#options.sessionId();
      const mustPoll = id !== null && this.#hasNoSlot;
      const end = await (mustPoll ? this.#pollWithoutSlot(id) : this.#attemptStream()).catch(
        this.#asInlayError,
      );
      if (!this.#closed && end !== 'reopen') await this.#handleEnd(end);
    }
  }

  /** Makes one attempt. Resolves with `reopen` if its token became invalid and was replaced. */
  async #attemptStream(): Promise<'closed' | 'reopen'> {
    const { platform, tokens } = this.#options;
    const { signal } = this.#controller;
    let usedToken = '';
    const tokenError = await platform.withToken((token) => {
      usedToken = token;
      return this.#read(token);
    }, signal);
    if (!tokenError) return 'closed';
    await tokens.replace(usedToken, tokenError, signal);
    return 'reopen';
  }

  async #handleEnd(end: 'closed' | InlayError): Promise<void> {
    const error = end === 'closed' ? null : end;
    if (error && this.#options.tokens.ended) {
      this.#setConnection('closed');
      this.#options.onDenied(error);
      await waitForAuth(this.#options.tokens, this.#controller.signal);
      return;
    }
    // The outbox decides whether to retry the creation of a session.
    const isCreating = this.#options.sessionId() === null;
    const isRejected =
      error !== null && ((error.status ?? 0) >= 500 || error.retryAfterMs !== null);
    if (error && (isCreating ? isRejected || !error.retryable : !isTemporary(error))) {
      this.#setConnection('closed');
      this.close();
      this.#options.onEnd(error);
      return;
    }
    const delayMs = this.#backoff.next(error?.retryAfterMs ?? null);
    this.#isUnreachable = error !== null && error.status === null && error.retryAfterMs === null;
    if (error?.code === 'NETWORK_ERROR') this.#options.reachability.reportFailure();
    // If the server closed the stream, the connection state does not change.
    if (error) this.#showReconnecting(longWaitEnd(error, delayMs, this.#options.ports));
    this.#options.onDiagnostic({
      type: 'stream_retry',
      code: error?.code ?? 'STREAM_CLOSED',
      delayMs,
    });
    if (error?.code === 'STREAM_OVERFLOW') await this.#catchUp((poller) => poller.readNext());
    if (error?.code === 'STREAM_GAP') await this.#catchUp((poller) => poller.readExisting());
    if (this.#gate.open) await this.#backoff.wait(delayMs, this.#controller.signal);
  }

  /**
   * Reads from the log the events that the stream can't deliver: the next stream would fail at the same
   * events.
   */
  async #catchUp(read: (poller: LogPoller) => Promise<InlayError | null>): Promise<void> {
    const id = this.#options.sessionId();
    if (id === null) {
      this.#options.onSilent?.();
      return;
    }
    const end = await this.#loadPoller(id)
      .then((poller) => poller && read(poller))
      .catch(this.#asInlayError);
    if (!this.#closed && end) await this.#handleEnd(end);
  }

  /** Reads one stream to its end. Returns the error if an invalid token ended it; otherwise null. */
  async #read(token: string): Promise<InlayError | null> {
    const end: { error: InlayError | null } = { error: null };
    const { ports, tokens, transport = sseTransport } = this.#options;
    const request = this.#options.request();
    const { method, url } = request;
    const init = requestInit(token, request);
    const watchdog = new StreamWatchdog(ports.clock, () => this.#handleSilence(watchdog));
    // Ignores callbacks after the end of the attempt.
    const whileActive =
      <Args extends unknown[]>(callback: (...args: Args) => void) =>
      (...args: Args) => {
        if (!watchdog.signal.aborted) callback(...args);
      };
    this.#attempt = watchdog;
    this.#handleSilence(watchdog);
    // The slot may have been lost while the token was requested.
    if (this.#closed || this.#hasNoSlot) watchdog.end();
    try {
      await transport.read({
        url,
        method,
        ...init,
        serverNow: () => tokens.serverNow,
        headers: {
          ...init.headers,
          accept: 'text/event-stream',
          ...(method === 'GET' ? { 'last-event-id': String(this.#events.position) } : {}),
        },
        fetch: ports.fetch,
        signal: watchdog.signal,
        onOpen: whileActive(() => {
          this.#backoff.handleOpen();
          this.#opened = true;
          this.#isUnreachable = false;
          this.#options.reachability.reportResponse();
          this.#setConnection('open');
        }),
        onBytes: whileActive(() => this.#handleBytes(watchdog.recordBytes())),
        onRetry: whileActive((milliseconds: number) => this.#backoff.setFirstMaxWait(milliseconds)),
        onMessage: whileActive((message: StreamMessage) => {
          end.error = this.#events.processMessage(message, this.#options.sessionId() !== null);
          if (end.error) watchdog.end();
        }),
      });
    } finally {
      watchdog.end();
      this.#attempt = null;
      this.#backoff.handleClose();
    }
    if (watchdog.isDead) throw networkError('No data for 45 seconds.');
    if (end.error !== null && end.error.status !== 401) throw end.error;
    return end.error;
  }

  /** Polls the log until it is interrupted. Resolves with `reopen` if a stream may be opened again. */
  async #pollWithoutSlot(sessionId: string): Promise<'reopen' | InlayError> {
    const poller = await this.#loadPoller(sessionId);
    // A slot may have become free while the module was loading.
    return (this.#hasNoSlot && (await poller?.poll())) || 'reopen';
  }

  /** Returns the poller; null if the stream was closed while its module was loading. */
  async #loadPoller(sessionId: string): Promise<LogPoller | null> {
    if (!this.#poller) {
      const { LogPoller } = await import('./log-polling.ts').catch(throwNetworkError);
      this.#poller ??= new LogPoller({
        ...this.#options,
        sessionId,
        events: this.#events,
        onConnection: (connection, retryAt) => {
          if (this.#gate.open) this.#setConnection(connection, retryAt);
          else this.#setConnection(this.#gate.connection);
        },
        attempt: () => this.#attempt,
        restart: () => this.restart(),
      });
    }
    return this.#closed || !this.#gate.open ? null : this.#poller;
  }

  /** Polls the log while the stream is silent. */
  #handleSilence({ isLate, isStale }: StreamWatchdog): void {
    const { network, running, sessionId, onSilent } = this.#options;
    this.#poller?.detectBuffering();
    if (!(network.buffersStreams || isStale || (isLate && running()))) return;
    const id = sessionId();
    if (id === null) onSilent?.();
    // If the module can't be loaded, the next call retries.
    else
      this.#loadPoller(id).then(
        (poller) => poller?.longPoll(),
        () => {},
      );
  }

  #handleBytes(isPrompt: boolean): void {
    const { network } = this.#options;
    if (isPrompt) {
      network.buffersStreams = false;
      this.#poller?.resetDetection();
    }
    if (!network.buffersStreams) this.#poller?.stop();
  }

  #handleSlotChange(): void {
    if (this.#slots.areTaken && this.#options.ports.page.hidden()) this.#gate.closeWhileHidden();
    this.#backoff.retryNow();
    this.#interrupt();
  }

  #handlePage(signal: PageSignal): void {
    if (signal === 'left') this.#slots.release();
    if (signal === 'hidden' || signal === 'left') return;
    const attempt = this.#attempt;
    const isBack = signal === 'online' || signal === 'restored';
    if (this.#gate.open && (signal === 'visible' || signal === 'focus' || signal === 'restored')) {
      this.#slots.claim();
    }
    // After sleep or an outage, an open connection may be dead without an error.
    if (isBack || signal === 'offline' || attempt?.isStale) this.#interrupt();
    if (isBack || attempt?.isStale || (signal === 'visible' && !attempt)) this.#backoff.retryNow();
  }

  /** Shows that the stream reconnects, unless polling replaces it. */
  #showReconnecting(retryAt: number | null): void {
    if (!this.#gate.open) this.#setConnection(this.#gate.connection);
    else if (!this.#poller?.isActive) this.#setConnection('reconnecting', retryAt);
  }

  #setConnection(connection: Connection, retryAt: number | null = null): void {
    if (this.#closed || (this.#connection === connection && this.#retryAt === retryAt)) return;
    this.#connection = connection;
    this.#retryAt = retryAt;
    this.#options.onConnection(connection, retryAt);
  }
}
