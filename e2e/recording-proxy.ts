import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** `Sec-Purpose` header: `prefetch;prerender` for speculative requests; otherwise empty. */
  readonly purpose: string;
}

/** A reverse proxy that records all requests, and also serves the pages of a test. */
export class RecordingProxy {
  readonly requests: ReceivedRequest[] = [];
  /** URL of the server to which the proxy forwards all requests except requests for pages. */
  target = '';
  readonly #pages = new Map<string, () => Promise<string> | string>();
  readonly #server: Server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const path = url.split('?')[0] ?? '';
    this.requests.push({ method, path, purpose: purposeOf(request) });
    const page = this.#pages.get(path);
    if (page) {
      response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
      void Promise.resolve(page()).then((html) => response.end(html));
      return;
    }
    const upstream = sendRequest(
      `${this.target}${url}`,
      { method, headers },
      (upstreamResponse) => {
        response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
        upstreamResponse.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Serves a page, or a script, at this path. */
  page(path: string, html: () => Promise<string> | string): void {
    this.#pages.set(path, html);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const purposeOf = ({ headers }: IncomingMessage) => String(headers['sec-purpose'] ?? '');
