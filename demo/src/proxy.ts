import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { listen, loopback } from './listen.ts';

/** Common misconfigurations of a reverse proxy in front of the platform. */
export type ProxyFault =
  /** Buffers whole responses: nginx with `proxy_buffering on`. */
  | 'buffer'
  /** Removes the CORS headers of all responses. */
  | 'hide'
  /** Answers preflight requests itself, with status 405. */
  | 'preflight'
  /** Does not forward paths below `/agent/`: responds with status 404. */
  | 'path'
  /** Cannot reach the platform: responds with status 502. */
  | 'gateway';

/** A reverse proxy with one configurable fault. */
export interface ReverseProxy {
  readonly port: number;
  fault: ProxyFault | null;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Local port to which requests are forwarded. */
  targetPort: number;
}

export async function startProxy({ targetPort }: ProxyOptions): Promise<ReverseProxy> {
  let fault: ProxyFault | null = null;
  const server = createServer((incoming, response) => {
    if (respondWithFault(fault, incoming, response)) return;
    forward(fault, targetPort, incoming, response);
  });
  const port = await listen(server, 0);
  return {
    port,
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respondWithFault(
  fault: ProxyFault | null,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (fault === 'gateway') sendPage(response, 502, 'Bad gateway');
  else if (fault === 'preflight' && method === 'OPTIONS') sendPage(response, 405, 'Not allowed');
  else if (fault === 'path' && url.startsWith('/agent/')) sendPage(response, 404, 'Not found');
  else return false;
  return true;
}

function sendPage(response: ServerResponse, status: number, title: string): void {
  // The header lets the page read the error. A failed preflight request must not have it.
  const headers = { 'content-type': 'text/html', 'access-control-allow-origin': '*' };
  response.writeHead(status, status === 405 ? {} : headers).end(`<h1>${title}</h1>`);
}

function forward(
  fault: ProxyFault | null,
  port: number,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, url, headers } = incoming;
  const upstream = request(
    { host: loopback, port, method, path: url, headers },
    async (upstreamResponse) => {
      const responseHeaders = Object.entries(upstreamResponse.headers).filter(
        ([name]) => fault !== 'hide' || !name.startsWith('access-control-'),
      );
      const status = upstreamResponse.statusCode ?? 502;
      try {
        const buffered = fault === 'buffer' ? await buffer(upstreamResponse) : null;
        response.writeHead(status, Object.fromEntries(responseHeaders));
        if (buffered) response.end(buffered);
        else await pipeline(upstreamResponse, response);
      } catch {
        response.destroy();
      }
    },
  );
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  incoming.pipe(upstream);
}
