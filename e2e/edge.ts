import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  /** `prefetch;prerender` for speculative requests of the browser; otherwise empty. */
  readonly purpose: string;
}

/** A reverse proxy at the platform's public URL that also serves pages of a test. */
export class Edge {
  readonly arrivals: Arrival[] = [];
  /** URL that all other requests are forwarded to. */
  target = '';
  readonly #pages = new Map<string, () => Promise<string> | string>();
  readonly #server: Server = createServer((asked, answer) => {
    const { method = 'GET', url = '/', headers } = asked;
    const path = url.split('?')[0] ?? '';
    this.arrivals.push({ method, path, purpose: purposeOf(asked) });
    const page = this.#pages.get(path);
    if (page) {
      answer.setHeader('content-type', 'text/html');
      void Promise.resolve(page()).then((html) => answer.end(html));
      return;
    }
    const onward = request(`${this.target}${url}`, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  page(path: string, html: () => Promise<string> | string): void {
    this.#pages.set(path, html);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const purposeOf = ({ headers }: IncomingMessage) => String(headers['sec-purpose'] ?? '');
