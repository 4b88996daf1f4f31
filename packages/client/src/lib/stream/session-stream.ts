import type { LiveEvent, LogEvent } from '@inlay/protocol';
import type { Connection } from '../conversation/state.ts';
import type { DiagnosticListener } from '../diagnostics.ts';
import { asInlayError, InlayError } from '../errors.ts';
import type { Platform } from '../http/platform.ts';
import { type RequestFields, written } from '../http/send.ts';
import type { PageSignal, Ports } from '../ports.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import { whenAdmitted } from '../tokens/when-admitted.ts';
import { readEventText, reportUnread, seqOf } from '../wire/read-event.ts';
import { AttemptWatch } from './attempt-watch.ts';
import { ReconnectGate } from './reconnect-gate.ts';
import { ReconnectPace } from './reconnect-pace.ts';
import type { StreamMessage, StreamTransport } from './transport.ts';

/** What to ask for, decided anew for each attempt. */
export interface StreamRequest extends RequestFields {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

/** What the conversations of a client share. */
export interface StreamContext {
  readonly ports: Ports;
  readonly transport: StreamTransport;
  readonly tokens: TokenManager;
  readonly platform: Platform;
  readonly onDiagnostic: DiagnosticListener;
}

export interface SessionStreamOptions extends StreamContext {
  /** `seq` of the last event of the log that is known already; 0 for none. */
  readonly after: number;
  readonly request: () => StreamRequest;
  /** Every event once, in order. It counts as read when this returns. */
  readonly onEvent: (event: LogEvent | LiveEvent) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Nothing is tried any more: the session is gone, or the platform refuses for good. */
  readonly onEnd: (error: InlayError) => void;
  /** The person may not talk just now. Reading goes on when they may again. */
  readonly onDenied: (error: InlayError) => void;
}

/**
 * Keeps one stream of a session open: through cuts, closed laptops, tokens that end. Each attempt is
 * read by the transport; everything between two attempts is decided here. It resumes after the last
 * event that was applied, and passes every event on once.
 */
export class SessionStream {
  readonly #options: SessionStreamOptions;
  readonly #life = new AbortController();
  readonly #pace: ReconnectPace;
  readonly #gate: ReconnectGate;
  readonly #unwatch: () => void;
  #attempt: AttemptWatch | null = null;
  #position: number;
  #opened = false;
  #connection: Connection = 'idle';

  constructor(options: SessionStreamOptions) {
    this.#options = options;
    this.#position = options.after;
    this.#pace = new ReconnectPace(options.ports);
    this.#gate = new ReconnectGate(options.ports, () => this.#attempt?.end());
    this.#unwatch = options.ports.page.watch((signal) => this.#handlePage(signal));
    void this.#run();
  }

  close(): void {
    if (this.#life.signal.aborted) return;
    this.#unwatch();
    this.#gate.close();
    this.#life.abort();
    this.#attempt?.end();
  }

  get #closed(): boolean {
    return this.#life.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      if (!this.#gate.open) this.#show(this.#gate.connection);
      await this.#gate.passed(this.#life.signal);
      if (this.#closed) return;
      if (this.#connection !== 'open') this.#show(this.#opened ? 'reconnecting' : 'connecting');
      const end = await this.#try();
      if (!this.#closed && end !== 'renewed') await this.#handle(end);
    }
  }

  /** One attempt. `renewed`: its token ended, there is another, and reading may go on at once. */
  async #try(): Promise<'closed' | 'renewed' | InlayError> {
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
      return 'renewed';
    } catch (error) {
      return asInlayError(error);
    }
  }

  async #handle(end: 'closed' | InlayError): Promise<void> {
    const error = end === 'closed' ? null : end;
    if (error && this.#options.tokens.ended) {
      this.#show('closed');
      this.#options.onDenied(error);
      await whenAdmitted(this.#options.tokens, this.#life.signal);
      return;
    }
    if (error && !error.retryable) {
      this.#show('closed');
      this.close();
      this.#options.onEnd(error);
      return;
    }
    // A stream that was closed in good order is opened again without a word.
    if (error) this.#show(this.#gate.open ? 'reconnecting' : this.#gate.connection);
    const delay = this.#pace.next(error?.retryAfter ?? null);
    this.#options.onDiagnostic({
      type: 'stream_retry',
      code: error?.code ?? 'STREAM_CLOSED',
      delay,
    });
    if (this.#gate.open) await this.#pace.wait(delay, this.#life.signal);
  }

  /** Reads one stream to its end. Gives the error with which the stream's token ended, if it did. */
  async #read(token: string): Promise<InlayError | null> {
    let tokenEnd: InlayError | null = null;
    const { ports, transport } = this.#options;
    const request = this.#options.request();
    const { method, url } = request;
    const init = written(token, request);
    const watch = new AttemptWatch(ports.clock);
    this.#attempt = watch;
    if (this.#closed) watch.end();
    try {
      await transport.read({
        url,
        method,
        ...init,
        headers: {
          ...init.headers,
          accept: 'text/event-stream',
          ...(method === 'GET' ? { 'last-event-id': String(this.#position) } : {}),
        },
        fetch: ports.fetch,
        signal: watch.signal,
        onOpen: () => {
          watch.bytes();
          this.#pace.opened();
          this.#opened = true;
          this.#show('open');
        },
        onBytes: () => watch.bytes(),
        onRetry: (milliseconds) => this.#pace.serverAsks(milliseconds),
        onMessage: (message) => {
          tokenEnd ??= this.#take(message);
          if (tokenEnd) watch.end();
        },
      });
    } finally {
      watch.end();
      this.#attempt = null;
      this.#pace.closed();
    }
    if (watch.silent) {
      throw new InlayError('NETWORK_ERROR', 'The stream fell silent.', { retryable: true });
    }
    return tokenEnd;
  }

  /** Takes one message. Returns the error with which the stream's token ended, if it says so. */
  #take(message: StreamMessage): InlayError | null {
    const read = readEventText(message.data);
    if (read.kind === 'stream_error') {
      const { code = 'UNEXPECTED_RESPONSE', message: text } = read.event.error;
      return new InlayError(code, text, { status: 401 });
    }
    reportUnread(read, this.#options.onDiagnostic);
    const seq = seqOf(read);
    if (read.kind === 'live' || (read.kind === 'log' && seq > this.#position)) {
      this.#apply(read.event);
    }
    // What could not be read is passed over for good: asked for again, it would come again.
    const place = read.kind === 'invalid' ? seqOfId(message.id) : 0;
    this.#position = Math.max(this.#position, seq, place);
    return null;
  }

  #apply(event: LogEvent | LiveEvent): void {
    this.#pace.applied();
    try {
      this.#options.onEvent(event);
    } catch {
      this.#options.onDiagnostic({ type: 'listener_error', name: 'onEvent' });
    }
  }

  #handlePage(signal: PageSignal): void {
    if (signal === 'hidden') return;
    const attempt = this.#attempt;
    const back = signal === 'online' || signal === 'restored';
    // Coming back, what was open may be dead without knowing it.
    if (back || signal === 'offline' || attempt?.stale) attempt?.end();
    if (back || attempt?.stale || (signal === 'visible' && !attempt)) this.#pace.retryNow();
  }

  #show(connection: Connection): void {
    if (this.#connection === connection || this.#closed) return;
    this.#connection = connection;
    this.#options.onConnection(connection);
  }
}

/** The `seq` of an SSE id, `<seq>` or `<seq>.<n>`; 0 for anything that no server sends. */
function seqOfId(id: string): number {
  return Number(/^(\d{1,15})(?:\.\d{1,15})?$/.exec(id)?.[1] ?? 0);
}
