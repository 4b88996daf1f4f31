/**
 * An event in the page, from the socket to the state:
 *
 * 1. The stream connects with the current token and the last event id, and reconnects with
 *    exponential backoff (`reconnect-backoff.ts`). `tab-slots.ts` shares the connections of a browser
 *    between tabs.
 * 2. `fetch-event-source.ts` splits bytes into messages. `stream-watchdog.ts` ends a silent connection.
 * 3. `event-deduplicator.ts` reads each message, and drops those that were delivered before.
 * 4. Where a proxy holds the stream back, `log-polling.ts` requests the log instead.
 * 5. The conversation's store applies the events to its state with the reducer (`conversation/`), and
 *    notifies its listeners once before the next paint.
 */

import { longWaitEnd } from '../backoff.ts';
import { asInlayError, InlayError } from '../errors.ts';
import { type RequestFields, requestInit } from '../http/request.ts';
import type { PageSignal } from '../ports.ts';
import { waitForAuth } from '../tokens/wait-for-auth.ts';
import type { Connection } from './connection.ts';
import { EventDeduplicator, type EventDeduplicatorOptions } from './event-deduplicator.ts';
import { fetchEventSourceTransport } from './fetch-event-source.ts';
import type { LogPoller } from './log-polling.ts';
import { ReconnectBackoff } from './reconnect-backoff.ts';
import type { StreamContext } from './stream-context.ts';
import { StreamWatchdog } from './stream-watchdog.ts';
import { TabSlots } from './tab-slots.ts';
import type { StreamMessage } from './transport.ts';
import { VisibilityGate } from './visibility-gate.ts';

/** What to ask for, decided anew for each attempt. */
export interface StreamRequest extends RequestFields {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

export interface SessionStreamOptions extends StreamContext, EventDeduplicatorOptions {
  /** The session, as soon as it is known: it is asked for again before each use. */
  readonly sessionId: () => string | null;
  /** Whether an answer is awaited, so that a silence means something. */
  readonly running: () => boolean;
  readonly request: () => StreamRequest;
  /**
   * `retryAt`: when the next attempt is made, in milliseconds since the epoch, where the platform
   * asked to wait for more than a minute.
   */
  readonly onConnection: (connection: Connection, retryAt: number | null) => void;
  /** Nothing is tried any more: the session is gone, or the platform refuses for good. */
  readonly onEnd: (error: InlayError) => void;
  /** The person may not talk just now. Reading goes on when they may again. */
  readonly onDenied: (error: InlayError) => void;
  /** The stream that makes a session is silent: it may never say which session it made. */
  readonly onSilent?: () => void;
}

/** Seconds that the platform may hold back the answer to a question beside a silent stream. */
const longWait = 20;

/**
 * Keeps one stream of a session open: through cuts, closed laptops, tokens that end. Each attempt is
 * read by the transport; everything between two attempts is decided here. It resumes after the last
 * event that was applied, and passes every event on once.
 *
 * Beside a stream that is silent, and in a tab for which the browser has no connection to spare, it
 * asks for the log instead. Whichever way an event comes first, it counts once.
 */
export class SessionStream {
  readonly #options: SessionStreamOptions;
  readonly #life = new AbortController();
  readonly #intake: EventDeduplicator;
  readonly #pace: ReconnectBackoff;
  readonly #gate: VisibilityGate;
  readonly #places: TabSlots;
  readonly #unwatch: () => void;
  #attempt: StreamWatchdog | null = null;
  #follower: LogPoller | null = null;
  #opened = false;
  #connection: Connection = 'idle';
  #retryAt: number | null = null;
  /** Whether the last attempt got no answer. */
  #unreached = false;

  constructor(options: SessionStreamOptions) {
    this.#options = options;
    const { ports, platform, onEvent } = options;
    this.#intake = new EventDeduplicator({
      ...options,
      onEvent: (event) => {
        this.#pace.applied();
        onEvent(event);
      },
    });
    this.#pace = new ReconnectBackoff(ports);
    this.#gate = new VisibilityGate(ports, () => {
      this.#places.release();
      this.#interrupt();
    });
    this.#places = new TabSlots({
      ports,
      baseUrl: platform.url(''),
      way: options.way,
      onChange: () => this.#placesChanged(),
    });
    const unwatch = ports.page.watch((signal) => this.#handlePage(signal));
    const unsubscribe = options.contact.subscribe(() => {
      if (this.#unreached) this.#pace.retryNow();
    });
    this.#unwatch = () => {
      unwatch();
      unsubscribe();
    };
    if (this.#gate.open) this.#places.claim();
    void this.#run();
  }

  /** The person does something in this tab: it comes first among those that want to read. */
  claim(): void {
    this.#gate.pass();
    this.#places.claim();
  }

  /** The person does not want to wait: whatever the next attempt waits for, it is made now. */
  reconnect(): void {
    this.#gate.pass();
    this.#pace.retryNow(true);
    if (this.#connection !== 'open') this.#interrupt();
  }

  /** Gives up the open stream, and opens another at once. */
  restart(): void {
    this.#pace.retryNow();
    this.#attempt?.end();
  }

  close(): void {
    if (this.#life.signal.aborted) return;
    this.#unwatch();
    this.#gate.close();
    this.#places.close();
    this.#life.abort();
    this.#interrupt();
  }

  get #closed(): boolean {
    return this.#life.signal.aborted;
  }

  /** Whether this session has no stream for the time being. One that is being made has to. */
  get #crowded(): boolean {
    return this.#places.taken && this.#options.sessionId() !== null;
  }

  /** Ends whatever brings events just now. */
  #interrupt(): void {
    this.#follower?.stop();
    this.#attempt?.end();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      if (!this.#gate.open) this.#show(this.#gate.connection);
      await this.#gate.passed(this.#life.signal);
      if (this.#closed) return;
      if (this.#connection !== 'open') this.#show(this.#opened ? 'reconnecting' : 'connecting');
      const id = this.#options.sessionId();
      const crowded = id !== null && this.#crowded;
      const end = await (crowded ? this.#follow(id, 0).catch(asInlayError) : this.#try());
      if (!this.#closed && end !== 'again') await this.#handle(end);
    }
  }

  /** One attempt. `again`: its token ended, there is another, and reading may go on at once. */
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
    // How often a platform may fail to make a session is for the one to decide who wants it made.
    const makes = this.#options.sessionId() === null;
    const refused = error !== null && ((error.status ?? 0) >= 500 || error.retryAfterMs !== null);
    if (error && (!error.retryable || (makes && refused))) {
      this.#show('closed');
      this.close();
      this.#options.onEnd(error);
      return;
    }
    const delay = this.#pace.next(error?.retryAfterMs ?? null);
    this.#unreached = error !== null && error.status === null && error.retryAfterMs === null;
    if (error?.code === 'NETWORK_ERROR') this.#options.contact.lost();
    // A stream that was closed in good order is opened again without a word.
    if (error) this.#showBroken(longWaitEnd(error, delay, this.#options.ports));
    this.#options.onDiagnostic({
      type: 'stream_retry',
      code: error?.code ?? 'STREAM_CLOSED',
      delay,
    });
    if (error?.code === 'STREAM_OVERFLOW') await this.#catchUp(longWait);
    if (error?.code === 'STREAM_GAP') await this.#catchUp(0);
    if (this.#gate.open) await this.#pace.wait(delay, this.#life.signal);
  }

  /**
   * Reads from the log what a stream can't bring: without `wait`, what is there; with it (seconds),
   * until there is something. The next stream would only end at the same place again.
   */
  async #catchUp(wait: number): Promise<void> {
    const id = this.#options.sessionId();
    if (id === null) {
      this.#options.onSilent?.();
      return;
    }
    const end = await this.#follow(id, wait, true).catch(asInlayError);
    if (!this.#closed && end !== 'again') await this.#handle(end);
  }

  /** Reads one stream to its end. Gives the error with which the stream's token ended, if it did. */
  async #read(token: string): Promise<InlayError | null> {
    const end: { error: InlayError | null } = { error: null };
    const { ports, tokens, transport = fetchEventSourceTransport } = this.#options;
    const request = this.#options.request();
    const { method, url } = request;
    const init = requestInit(token, request);
    const watch = new StreamWatchdog(ports.clock, () => this.#handleQuiet(watch));
    // What a reader still has in hand when its attempt is over belongs to nobody.
    const live =
      <Args extends unknown[]>(act: (...args: Args) => void) =>
      (...args: Args) => {
        if (!watch.signal.aborted) act(...args);
      };
    this.#attempt = watch;
    this.#handleQuiet(watch);
    // Its place may have gone while its token was fetched.
    if (this.#closed || this.#crowded) watch.end();
    try {
      await transport.read({
        url,
        method,
        ...init,
        serverNow: () => tokens.serverNow,
        headers: {
          ...init.headers,
          accept: 'text/event-stream',
          ...(method === 'GET' ? { 'last-event-id': String(this.#intake.position) } : {}),
        },
        fetch: ports.fetch,
        signal: watch.signal,
        onOpen: live(() => {
          this.#pace.opened();
          this.#opened = true;
          this.#unreached = false;
          this.#options.contact.made();
          this.#show('open');
        }),
        onBytes: live(() => this.#handleBytes(watch.bytes())),
        onRetry: live((milliseconds: number) => this.#pace.serverAsks(milliseconds)),
        onMessage: live((message: StreamMessage) => {
          end.error = this.#intake.takeMessage(message, this.#options.sessionId() !== null);
          if (end.error) watch.end();
        }),
      });
    } finally {
      watch.end();
      this.#attempt = null;
      this.#pace.closed();
    }
    if (watch.silent) {
      throw new InlayError('NETWORK_ERROR', 'The stream fell silent.', { retryable: true });
    }
    if (end.error !== null && end.error.status !== 401) throw end.error;
    return end.error;
  }

  /** Asks for the log until it is interrupted. `again`: the stream may be tried again. */
  async #follow(sessionId: string, wait: number, once = false): Promise<'again' | InlayError> {
    if (!this.#follower) {
      const { LogPoller } = await import('./log-polling.ts');
      this.#follower ??= new LogPoller({
        ...this.#options,
        sessionId,
        intake: this.#intake,
        show: (connection, retryAt) => {
          if (this.#gate.open) this.#show(connection, retryAt);
          else this.#show(this.#gate.connection);
        },
        attempt: () => this.#attempt,
        restart: () => this.restart(),
      });
    }
    // Much may have happened while it was loaded.
    if (this.#closed || !this.#gate.open || (wait === 0 && !once && !this.#crowded)) {
      return 'again';
    }
    return (await this.#follower.follow(wait, once)) ?? 'again';
  }

  /** The stream is silent: what it should bring may be had another way. */
  #handleQuiet({ late, stale }: StreamWatchdog): void {
    const { way, running, sessionId, onSilent } = this.#options;
    this.#follower?.judge();
    if (!(way.buffered || stale || (late && running()))) return;
    const id = sessionId();
    if (id === null) onSilent?.();
    // Where it can't be loaded just now, the next look tries again.
    else this.#follow(id, longWait).catch(() => {});
  }

  #handleBytes(prompt: boolean): void {
    const { way } = this.#options;
    if (prompt) {
      way.buffered = false;
      this.#follower?.absolve();
    }
    if (!way.buffered) this.#follower?.stop();
  }

  #placesChanged(): void {
    if (this.#places.taken && this.#options.ports.page.hidden()) this.#gate.shut();
    this.#pace.retryNow();
    this.#interrupt();
  }

  #handlePage(signal: PageSignal): void {
    if (signal === 'left') this.#places.release();
    if (signal === 'hidden' || signal === 'left') return;
    const attempt = this.#attempt;
    const back = signal === 'online' || signal === 'restored';
    if (this.#gate.open && (signal === 'visible' || signal === 'focus' || signal === 'restored')) {
      this.#places.claim();
    }
    // Coming back, what was open may be dead without knowing it.
    if (back || signal === 'offline' || attempt?.stale) this.#interrupt();
    if (back || attempt?.stale || (signal === 'visible' && !attempt)) this.#pace.retryNow();
  }

  /** A stream that broke off matters only where nothing else brings what it should. */
  #showBroken(retryAt: number | null): void {
    if (!this.#gate.open) this.#show(this.#gate.connection);
    else if (!this.#follower?.following) this.#show('reconnecting', retryAt);
  }

  #show(connection: Connection, retryAt: number | null = null): void {
    if (this.#closed || (this.#connection === connection && this.#retryAt === retryAt)) return;
    this.#connection = connection;
    this.#retryAt = retryAt;
    this.#options.onConnection(connection, retryAt);
  }
}
