import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { ChatMessage, ChatRequest, ChatTool } from './chat-request.ts';
import type { RecordedRequest } from './recorded-request.ts';

const secretHeaders = ['authorization', 'api-key', 'x-api-key', 'cookie'];

/** One request with its response: keeps the record, and tells who ended it. */
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
  readonly #leaving = new AbortController();
  #isCut = false;

  constructor(request: IncomingMessage, response: ServerResponse, clock: Clock) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !secretHeaders.includes(name)),
    );
    this.receivedAt = clock.now();
    this.#response = response;
    // A write to a client that has just left fails; the `close` that follows says all there is.
    response.on('error', () => {});
    this.closed = new Promise((resolve) => {
      response.once('close', () => {
        this.closedAt = clock.now();
        if (!response.writableFinished && !this.#isCut) this.abortedAt = this.closedAt;
        this.#leaving.abort();
        resolve();
      });
    });
  }

  /** Aborted once nobody reads the response any more. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
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

  /** Breaks the connection: with a TCP reset, or by closing it properly in mid-response. */
  cut(how: 'reset' | 'fin'): void {
    this.#isCut = true;
    if (how === 'reset') this.#response.socket?.resetAndDestroy();
    else this.#response.socket?.end();
  }
}
