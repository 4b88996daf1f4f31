import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { ChatMessage, ChatRequest, ChatTool } from './chat-request.ts';
import type { RecordedRequest } from './recorded-request.ts';

const secretHeaders = ['authorization', 'api-key', 'x-api-key', 'cookie'];

/** A request with its response. Records both, and who closed the connection. */
export class Exchange implements RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly receivedAt: number;
  readonly closed: Promise<void>;
  body: ChatRequest | null = null;
  tokensSent = 0;
  abortedAt: number | null = null;
  closedAt: number | null = null;

  readonly #response: ServerResponse;
  readonly #disconnected = new AbortController();
  #isCut = false;

  constructor(request: IncomingMessage, response: ServerResponse, clock: Clock) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !secretHeaders.includes(name)),
    );
    this.receivedAt = clock.now();
    this.#response = response;
    // Write errors are ignored: a `close` event follows when the client has disconnected.
    response.on('error', () => {});
    this.closed = new Promise((resolve) => {
      response.once('close', () => {
        this.closedAt = clock.now();
        if (!response.writableFinished && !this.#isCut) this.abortedAt = this.closedAt;
        this.#disconnected.abort();
        resolve();
      });
    });
  }

  /** Aborted when the client has disconnected. */
  get signal(): AbortSignal {
    return this.#disconnected.signal;
  }

  get model(): string | null {
    return this.body?.model ?? null;
  }

  get messages(): readonly ChatMessage[] {
    return this.body?.messages ?? [];
  }

  get tools(): readonly ChatTool[] {
    return this.body?.tools ?? [];
  }

  get stream(): boolean {
    return this.body?.stream === true;
  }

  get status(): number | null {
    return this.#response.headersSent ? this.#response.statusCode : null;
  }

  get aborted(): boolean {
    return this.abortedAt !== null;
  }

  /** Closes the connection during the response, with a TCP RST or FIN. */
  cut(how: 'reset' | 'fin'): void {
    this.#isCut = true;
    if (how === 'reset') this.#response.socket?.resetAndDestroy();
    else this.#response.socket?.end();
  }
}
