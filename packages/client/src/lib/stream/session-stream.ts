/**
 * Reads a session. An event passes these files from the socket to the store:
 *
 * 1. `stream/sse.ts` sends the request of one attempt, and splits its bytes into messages.
 * 2. `stream/session-stream.ts` (this file) connects with the current token and the last event id,
 *    and reconnects.
 * 3. `stream/event-deduplicator.ts` drops events that were delivered before.
 * 4. `@inlay/protocol/read-event` checks the fields of an event.
 * 5. `conversation/session-link.ts` dispatches events to the store of its conversation.
 * 6. `conversation/conversation-store.ts` applies batches of events to the state with the reducer, and
 *    notifies listeners before the next paint.
 *
 * Beside the path, `reconnect-backoff.ts` sets the wait between attempts, `visibility-gate.ts` closes
 * the streams of hidden tabs, `tab-slots.ts` shares the connections of a browser between tabs,
 * `stream-watchdog.ts` detects silent connections, and `log-polling.ts` requests the log where a proxy
 * holds streams back or other tabs have all slots.
 */

import { longWaitEnd } from '../backoff.ts';
import { asInlayError, InlayError } from '../errors.ts';
import { type RequestFields, requestInit } from '../http/request.ts';
import type { PageSignal } from '../ports.ts';
import { waitForAuth } from '../tokens/wait-for-auth.ts';
import type { Connection } from './connection.ts';
import { EventDeduplicator, type EventDeduplicatorOptions } from './event-deduplicator.ts';
import type { LogPoller } from './log-polling.ts';
import { ReconnectBackoff } from './reconnect-backoff.ts';
import { sseTransport } from './sse.ts';
import type { StreamContext } from './stream-context.ts';
import { StreamWatchdog } from './stream-watchdog.ts';
import { TabSlots } from './tab-slots.ts';
import type { StreamMessage } from './transport.ts';
import { VisibilityGate } from './visibility-gate.ts';

/** The request of one attempt. */
export interface StreamRequest extends RequestFields {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

export interface SessionStreamOptions extends StreamContext, EventDeduplicatorOptions {
  /** Id of the session; null while it is being created. */
  readonly sessionId: () => string | null;
  /** Whether the agent is answering, so that silence is suspect. */
  readonly running: () => boolean;
  readonly request: () => StreamRequest;
  /**
   * @param retryAt Time of the next attempt in milliseconds since the epoch, if the platform asked to
   *   wait for more than a minute; otherwise null.
   */
  readonly onConnection: (connection: Connection, retryAt: number | null) => void;
  /** Called when the session is gone or the platform refuses for good. */
  readonly onEnd: (error: InlayError) => void;
  /** Called when access is denied. Reading resumes when it is granted again. */
  readonly onDenied: (error: InlayError) => void;
  /** Called when the stream that creates a session is silent, and may never deliver its id. */
  readonly onSilent?: () => void;
}

/** Seconds of long polling beside a silent stream. */
const longPoll = 20;

/**
 * Keeps a stream of a session open across disconnects, sleep and expiring tokens. The transport reads
 * one attempt; this class decides what happens between attempts. It resumes after the last processed
 * event, and forwards every event once.
 *
 * While a stream is silent, and in a tab without a slot, it polls the log as well.
 */
export class SessionStream {
  readonly #options: SessionStreamOptions;
  readonly #life = new AbortController();
  readonly #events: EventDeduplicator;
  readonly #backoff: ReconnectBackoff;
  readonly #gate: VisibilityGate;
  readonly #slots: TabSlots;
  readonly #unsubscribe: () => void;
  #attempt: StreamWatchdog | null = null;
  #poller: LogPoller | null = null;
  #opened = false;
  #connection: Connection = 'idle';
  #retryAt: number | null = null;
  /** Whether the last attempt got no response. */
  #unreached = false;

  constructor(options: SessionStreamOptions) {
    this.#options = options;
    const { ports, platform, onEvent } = options;
    this.#events = new EventDeduplicator({
      ...options,
      onEvent: (event) => {
        this.#backoff.applied();
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
      if (this.#unreached) this.#backoff.retryNow();
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

  /** Reconnects now, at the user's wish. */
  reconnect(): void {
    this.#gate.reopen();
    this.#backoff.retryNow(true);
    if (this.#connection !== 'open') this.#interrupt();
  }

  /** Closes the open stream and opens another one at once. */
  restart(): void {
    this.#backoff.retryNow();
    this.#attempt?.end();
  }

  close(): void {
    if (this.#life.signal.aborted) return;
    this.#unsubscribe();
    this.#gate.close();
    this.#slots.close();
    this.#life.abort();
    this.#interrupt();
  }

  get #closed(): boolean {
    return this.#life.signal.aborted;
  }

  /** Whether other tabs have all slots. A session that is being created needs its stream anyway. */
  get #hasNoSlot(): boolean {
    return this.#slots.taken && this.#options.sessionId() !== null;
  }

  /** Ends the current stream and poll. */
  #interrupt(): void {
    this.#poller?.stop();
    this.#attempt?.end();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      if (!this.#gate.open) this.#show(this.#gate.connection);
      await this.#gate.whenOpen(this.#life.signal);
      if (this.#closed) return;
      if (this.#connection !== 'open') this.#show(this.#opened ? 'reconnecting' : 'connecting');
      const id = this.#options.sessionId();
      const polls = id !== null && this.#hasNoSlot;
      const end = await (polls ? this.#poll(id, 0).catch(asInlayError) : this.#try());
      if (!this.#closed && end !== 'again') await this.#handle(end);
    }
  }

  /** Makes one attempt. `again`: its token has ended and was replaced. */
  async #try(): Promise<'closed' | 'again' | InlayError> {
    const { platform, tokens } = this.#options;
    const { signal } = this.#life;
    try {
      let used = '';
      const tokenEnd = await platform.withToken((token) => {
        used = token;
        return this.#read(token);
      }, signal);
      if (!tokenEnd) return 'closed';
      await tokens.replace(used, tokenEnd, signal);
      return 'again';
    } catch (error) {
      return asInlayError(error);
    }
  }

  async #handle(end: 'closed' | InlayError): Promise<void> {
    const error = end === 'closed' ? null : end;
    if (error && this.#options.tokens.ended) {
      this.#show('closed');
      this.#options.onDenied(error);
      await waitForAuth(this.#options.tokens, this.#life.signal);
      return;
    }
    // Whether to retry the creation of a session is decided by the outbox.
    const isCreating = this.#options.sessionId() === null;
    const refused = error !== null && ((error.status ?? 0) >= 500 || error.retryAfterMs !== null);
    if (error && (!error.retryable || (isCreating && refused))) {
      this.#show('closed');
      this.close();
      this.#options.onEnd(error);
      return;
    }
    const delay = this.#backoff.next(error?.retryAfterMs ?? null);
    this.#unreached = error !== null && error.status === null && error.retryAfterMs === null;
    if (error?.code === 'NETWORK_ERROR') this.#options.reachability.reportFailure();
    // A stream that the server closed is reopened without a change of state.
    if (error) this.#showBroken(longWaitEnd(error, delay, this.#options.ports));
    this.#options.onDiagnostic({
      type: 'stream_retry',
      code: error?.code ?? 'STREAM_CLOSED',
      delay,
    });
    if (error?.code === 'STREAM_OVERFLOW') await this.#catchUp(longPoll);
    if (error?.code === 'STREAM_GAP') await this.#catchUp(0);
    if (this.#gate.open) await this.#backoff.wait(delay, this.#life.signal);
  }

  /**
   * Reads from the log what the stream can't deliver. The next stream would fail at the same event.
   *
   * @param wait Seconds to wait for news; 0 reads what is there.
   */
  async #catchUp(wait: number): Promise<void> {
    const id = this.#options.sessionId();
    if (id === null) {
      this.#options.onSilent?.();
      return;
    }
    const end = await this.#poll(id, wait, true).catch(asInlayError);
    if (!this.#closed && end !== 'again') await this.#handle(end);
  }

  /** Reads one stream to its end. Returns the error with which its token ended; null without one. */
  async #read(token: string): Promise<InlayError | null> {
    const end: { error: InlayError | null } = { error: null };
    const { ports, tokens, transport = sseTransport } = this.#options;
    const request = this.#options.request();
    const { method, url } = request;
    const init = requestInit(token, request);
    const watch = new StreamWatchdog(ports.clock, () => this.#handleQuiet(watch));
    // Ignores callbacks after the end of the attempt.
    const whileActive =
      <Args extends unknown[]>(act: (...args: Args) => void) =>
      (...args: Args) => {
        if (!watch.signal.aborted) act(...args);
      };
    this.#attempt = watch;
    this.#handleQuiet(watch);
    // The slot may have been lost while the token was requested.
    if (this.#closed || this.#hasNoSlot) watch.end();
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
        signal: watch.signal,
        onOpen: whileActive(() => {
          this.#backoff.opened();
          this.#opened = true;
          this.#unreached = false;
          this.#options.reachability.reportResponse();
          this.#show('open');
        }),
        onBytes: whileActive(() => this.#handleBytes(watch.bytes())),
        onRetry: whileActive((milliseconds: number) => this.#backoff.setWindow(milliseconds)),
        onMessage: whileActive((message: StreamMessage) => {
          end.error = this.#events.takeMessage(message, this.#options.sessionId() !== null);
          if (end.error) watch.end();
        }),
      });
    } finally {
      watch.end();
      this.#attempt = null;
      this.#backoff.closed();
    }
    if (watch.silent) {
      throw new InlayError('NETWORK_ERROR', 'The stream fell silent.', { retryable: true });
    }
    if (end.error !== null && end.error.status !== 401) throw end.error;
    return end.error;
  }

  /** Polls the log until it is interrupted. `again`: a stream may be opened again. */
  async #poll(sessionId: string, wait: number, once = false): Promise<'again' | InlayError> {
    if (!this.#poller) {
      const { LogPoller } = await import('./log-polling.ts');
      this.#poller ??= new LogPoller({
        ...this.#options,
        sessionId,
        events: this.#events,
        show: (connection, retryAt) => {
          if (this.#gate.open) this.#show(connection, retryAt);
          else this.#show(this.#gate.connection);
        },
        attempt: () => this.#attempt,
        restart: () => this.restart(),
      });
    }
    // The state may have changed while the module was loading.
    if (this.#closed || !this.#gate.open || (wait === 0 && !once && !this.#hasNoSlot)) {
      return 'again';
    }
    return (await this.#poller.poll(wait, once)) ?? 'again';
  }

  /** Polls the log while the stream is silent. */
  #handleQuiet({ late, stale }: StreamWatchdog): void {
    const { network, running, sessionId, onSilent } = this.#options;
    this.#poller?.detectBuffering();
    if (!(network.buffersStreams || stale || (late && running()))) return;
    const id = sessionId();
    if (id === null) onSilent?.();
    // If the module can't be loaded, the next call tries again.
    else this.#poll(id, longPoll).catch(() => {});
  }

  #handleBytes(prompt: boolean): void {
    const { network } = this.#options;
    if (prompt) {
      network.buffersStreams = false;
      this.#poller?.resetDetection();
    }
    if (!network.buffersStreams) this.#poller?.stop();
  }

  #handleSlotChange(): void {
    if (this.#slots.taken && this.#options.ports.page.hidden()) this.#gate.shut();
    this.#backoff.retryNow();
    this.#interrupt();
  }

  #handlePage(signal: PageSignal): void {
    if (signal === 'left') this.#slots.release();
    if (signal === 'hidden' || signal === 'left') return;
    const attempt = this.#attempt;
    const back = signal === 'online' || signal === 'restored';
    if (this.#gate.open && (signal === 'visible' || signal === 'focus' || signal === 'restored')) {
      this.#slots.claim();
    }
    // After sleep or an outage, an open connection may be dead without an error.
    if (back || signal === 'offline' || attempt?.stale) this.#interrupt();
    if (back || attempt?.stale || (signal === 'visible' && !attempt)) this.#backoff.retryNow();
  }

  /** Shows a broken stream, unless polling replaces it. */
  #showBroken(retryAt: number | null): void {
    if (!this.#gate.open) this.#show(this.#gate.connection);
    else if (!this.#poller?.active) this.#show('reconnecting', retryAt);
  }

  #show(connection: Connection, retryAt: number | null = null): void {
    if (this.#closed || (this.#connection === connection && this.#retryAt === retryAt)) return;
    this.#connection = connection;
    this.#retryAt = retryAt;
    this.#options.onConnection(connection, retryAt);
  }
}
