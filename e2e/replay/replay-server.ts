import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerNames } from './answers/catalogue.ts';
import { type Clock, systemClock } from './clock.ts';
import { answerChat } from './http/answer-chat.ts';
import { ApiError, sendApiError, sendJson } from './http/api-error.ts';
import { readChatRequest } from './http/chat-request.ts';
import { checkKey } from './http/check-key.ts';
import { Exchange } from './http/exchange.ts';
import { playImmediateFault } from './http/immediate-faults.ts';
import { readBody } from './http/read-body.ts';
import type { RecordedRequest } from './http/recorded-request.ts';
import { type ReplayControl, Selection } from './http/selection.ts';

export interface ReplayServerOptions {
  /** @default 0, a free port */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** The only valid key. By default, every key is valid, but a request without one is refused. */
  readonly apiKey?: string;
  readonly clock?: Clock;
}

export interface ReplayServer {
  /** Base URL with the version, for example `http://127.0.0.1:40123/v1`. */
  readonly url: string;
  /** Requests since the start or the last `forget()`, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Sets the answer and options of the following requests. Replaces those of the previous call. */
  use(control: ReplayControl): void;
  /** Resolves with the next request when its body is read. */
  nextRequest(): Promise<RecordedRequest>;
  /** Empties `requests`. */
  forget(): void;
  /** Stops the server, and resets pending answers. Can be called more than once. */
  close(): Promise<void>;
}

/** Starts an OpenAI-compatible endpoint with recorded answers. */
export async function startReplayServer(options: ReplayServerOptions = {}): Promise<ReplayServer> {
  const { port = 0, host = '127.0.0.1', apiKey, clock = systemClock } = options;
  const selection = new Selection();
  const requests: Exchange[] = [];
  const open = new Set<Exchange>();
  const waiters: Array<(request: RecordedRequest) => void> = [];
  let answered = 0;

  const server = createServer((request, response) => {
    const exchange = new Exchange(request, response, clock);
    requests.push(exchange);
    open.add(exchange);
    void exchange.closed.then(() => open.delete(exchange));
    handle(request, response, exchange).catch((error: unknown) => {
      if (error instanceof ApiError) sendApiError(response, error);
      else response.destroy();
    });
  });
  // A keep-alive timeout could close the connection just when a request arrives.
  server.keepAliveTimeout = 0;
  // Without Nagle's algorithm, each write is sent at once.
  server.on('connection', (socket) => socket.setNoDelay(true));

  async function handle(request: IncomingMessage, response: ServerResponse, exchange: Exchange) {
    const endpoint = `${exchange.method} ${exchange.path.split('?')[0]}`;
    const text = await readBody(request);
    try {
      checkKey(request, apiKey);
      if (endpoint === 'POST /v1/chat/completions') exchange.body = readChatRequest(text);
    } finally {
      for (const resolve of waiters.splice(0)) resolve(exchange);
    }
    if (endpoint === 'GET /v1/models') return sendJson(response, 200, modelList());
    if (!exchange.body) throw new ApiError(404, `There is no ${endpoint} here.`);

    const selected = selection.select(exchange.body.model);
    if (playImmediateFault(exchange, response, selected.options)) return;
    const id = `replay${++answered}`;
    await answerChat({ ...selected, request: exchange.body, response, exchange, id, clock });
  }

  server.listen(port, host);
  await once(server, 'listening');

  return {
    url: `${originOf(server.address())}/v1`,
    requests,
    use: (control) => selection.use(control),
    nextRequest: () => new Promise((resolve) => waiters.push(resolve)),
    forget: () => {
      requests.length = 0;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const exchange of open) exchange.cut('reset');
      server.closeAllConnections();
      await closed;
    },
  };
}

function originOf(address: ReturnType<ReturnType<typeof createServer>['address']>): string {
  if (typeof address !== 'object' || address === null) throw new TypeError('not a TCP address');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

function modelList() {
  const data = answerNames.map((name) => ({
    id: `replay/${name}`,
    object: 'model',
    created: 1_767_225_600,
    owned_by: 'replay',
  }));
  return { object: 'list', data };
}
