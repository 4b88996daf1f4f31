import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { listen, loopback } from './listen.ts';

/** Common misconfigurations of a reverse proxy before the platform. */
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
  /** Local port to forward requests to. */
  targetPort: number;
}

export async function startProxy({ targetPort }: ProxyOptions): Promise<ReverseProxy> {
  let fault: ProxyFault | null = null;
  const server = createServer((incoming, response) => {
    if (answeredByItself(fault, incoming, response)) return;
    passOn(fault, targetPort, incoming, response);
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

function answeredByItself(
  fault: ProxyFault | null,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (fault === 'gateway') page(response, 502, 'Bad gateway');
  else if (fault === 'preflight' && method === 'OPTIONS') page(response, 405, 'Not allowed');
  else if (fault === 'path' && url.startsWith('/agent/')) page(response, 404, 'Not found');
  else return false;
  return true;
}

function page(response: ServerResponse, status: number, title: string): void {
  // CORS allows the page to read the error, except for preflight requests.
  const headers = { 'content-type': 'text/html', 'access-control-allow-origin': '*' };
  response.writeHead(status, status === 405 ? {} : headers).end(`<h1>${title}</h1>`);
}

function passOn(
  fault: ProxyFault | null,
  port: number,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, url, headers } = incoming;
  const onward = request({ host: loopback, port, method, path: url, headers }, async (answer) => {
    const kept = Object.entries(answer.headers).filter(
      ([name]) => fault !== 'hide' || !name.startsWith('access-control-'),
    );
    const status = answer.statusCode ?? 502;
    try {
      const whole = fault === 'buffer' ? await buffer(answer) : null;
      response.writeHead(status, Object.fromEntries(kept));
      if (whole) response.end(whole);
      else await pipeline(answer, response);
    } catch {
      response.destroy();
    }
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
