import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { ScriptedPlatform, type ScriptedPlatformOptions } from './platform/scripted-platform.ts';

/** A request as it arrived, with its token. `ScriptedPlatform.requests` omits the secrets. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown> | null;
  readonly token: string | null;
}

/**
 * Responds instead of the platform. Returns undefined to let the platform respond, `drop` to close the
 * connection.
 */
export type Intercept = (
  received: ReceivedRequest,
  response: ServerResponse,
) => 'handled' | 'drop' | undefined;

/** Serves the scripted platform over HTTP, for tests of real sockets. */
export class PlatformServer extends ScriptedPlatform {
  /** All requests, also those to which `intercept` responds. */
  readonly received: ReceivedRequest[] = [];
  /** Open streams. */
  readonly streams = new Set<ServerResponse>();
  /** Called with each request, and may respond instead of the platform. */
  intercept: Intercept = () => undefined;
  /**
   * Called when a token is received for the first time. Returns the user for whom the platform accepts
   * it; null to accept it only if the platform issued it.
   */
  userOf: (token: string) => string | null = () => 'ada';
  readonly #server: Server;
  /** Received tokens. */
  readonly #known = new Set<string>();

  private constructor(server: Server, options: ScriptedPlatformOptions) {
    const { port } = server.address() as AddressInfo;
    super({ ...options, baseUrl: `http://127.0.0.1:${port}` });
    this.#server = server;
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(options: ScriptedPlatformOptions = {}): Promise<PlatformServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PlatformServer(server, options);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Returns the number of received requests with a method and path. */
  countReceived(method: string, path: RegExp): number {
    return this.received.filter((each) => each.method === method && path.test(each.path)).length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const received: ReceivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? null : JSON.parse(text),
      token: request.headers.authorization?.replace('Bearer ', '') ?? null,
    };
    this.received.push(received);
    const intercepted = this.intercept(received, response);
    if (intercepted === 'drop') response.destroy();
    if (!intercepted) await this.#respond(received, text, response);
  }

  async #respond(
    { method, path, headers, token }: ReceivedRequest,
    text: string,
    response: ServerResponse,
  ): Promise<void> {
    if (token !== null && !this.#known.has(token)) {
      const user = this.userOf(token);
      if (user !== null) this.issue(user, { token });
      this.#known.add(token);
    }
    const controller = new AbortController();
    response.on('close', () => controller.abort());
    try {
      const answer = await this.fetch(this.baseUrl + path, {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
        body: text === '' ? null : text,
        signal: controller.signal,
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
        this.streams.add(response);
        response.on('close', () => this.streams.delete(response));
      }
      for await (const bytes of answer.body ?? []) response.write(bytes);
      response.end();
    } catch {
      response.destroy();
    }
  }
}

/** Sends a problem of the platform. */
export function sendProblem(
  response: ServerResponse,
  status: number,
  code: string,
  { headers = {}, detail = 'no' }: { headers?: Record<string, string>; detail?: string } = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    .end(JSON.stringify({ code, status, detail, title: 'no', retryable: status >= 500 }));
}
