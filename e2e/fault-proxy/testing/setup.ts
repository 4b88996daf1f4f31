import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import { onTestFinished } from 'vitest';
import { type FaultProxy, type FaultProxyOptions, startFaultProxy } from '../fault-proxy.ts';

/** Starts a server with this request handler, behind a proxy. */
export async function setup(
  handle: RequestListener,
  options: Omit<FaultProxyOptions, 'target'> = {},
): Promise<FaultProxy & { target: string }> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  const target = `http://127.0.0.1:${address.port}`;
  const proxy = await startFaultProxy({ target, ...options });
  onTestFinished(async () => {
    await proxy.close();
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(proxy, { target });
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  /** Sizes of the received chunks of the body. */
  pieces: number[];
}

export interface AskOptions {
  method?: string;
  body?: string;
  agent?: Agent;
  /** Called after the response head. */
  onHead?: (response: IncomingMessage) => void;
  /** Called for each chunk of the body. */
  onPiece?: (text: string) => void;
  signal?: AbortSignal;
}

/** Sends a request. Uses a new connection unless an agent is given. */
export function ask(url: string, options: AskOptions = {}): Promise<Answer> {
  const { method = 'GET', body, agent = new Agent(), onHead, onPiece, signal } = options;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, ...(signal && { signal }) }, (response) => {
      onHead?.(response);
      let text = '';
      const pieces: number[] = [];
      response.on('data', (piece: Buffer) => {
        text += piece;
        pieces.push(piece.length);
        onPiece?.(String(piece));
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, pieces }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Responds with the method, path and body of the request. */
export const echo: RequestListener = async (request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  for await (const piece of request) body += piece;
  response.end(`${request.method} ${request.url} ${body}`);
};

/** Creates a promise with its `resolve` function. */
export function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}
