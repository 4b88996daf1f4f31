import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { onTestFinished } from 'vitest';
import type { ConfigInput } from '../config/config.ts';
import { listen } from './listen.ts';
import { type SetupOptions, setupServer, testApiKey, upstreamKey } from './setup-server.ts';

/** A request that an upstream received. */
export interface UpstreamCall {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** Port of the caller, which identifies the connection. */
  port: number | undefined;
  /** The complete body; rejects if the request is aborted. */
  body: Promise<Buffer>;
  /** Resolves when the connection ends before the response is complete. */
  disconnected: Promise<void>;
}

/** Responds to a request in place of an upstream. */
export type Replay = (
  response: ServerResponse,
  call: UpstreamCall,
  request: IncomingMessage,
) => unknown;

type SimpleReplay = (response: ServerResponse, call: UpstreamCall) => unknown;

/** Handler that responds with JSON after it has read the body. */
export const json =
  (body: unknown = {}, status = 200, headers: Record<string, string> = {}): SimpleReplay =>
  async (response, call) => {
    await call.body;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** Handler that sends these pieces as server-sent events, and ends the response. */
export const events =
  (...pieces: string[]): Replay =>
  async (response, call) => {
    await call.body;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };

/** Starts an HTTP server in place of the API of a vendor. */
export async function replayUpstream(replay: Replay) {
  const calls: UpstreamCall[] = [];
  const server = createServer((request, response) => {
    const body = readBody(request);
    // Prevents an unhandled rejection in tests that do not read the body.
    body.catch(() => {});
    const call = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      port: request.socket.remotePort,
      body,
      disconnected: new Promise<void>((resolve) =>
        response.once('close', () => response.writableFinished || resolve()),
      ),
    };
    calls.push(call);
    // A handler that waits for the body fails if the request is aborted.
    void (async () => replay(response, call, request))().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, calls };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

type Compatible = NonNullable<ConfigInput['compatible']>;
type Family = keyof Compatible;

/** Path prefix of each family at its upstream. */
const prefixes: Record<Family, string> = {
  chat_model: '/v1',
  message_model: '/v1',
  generative_model: '/v1beta',
  sandbox: '',
  web_search: '',
};

/**
 * Serves the platform over HTTP, with one fake upstream for all five families.
 *
 * @param replay Responds to each request that is forwarded.
 */
export async function setupGateway(
  replay: Replay = json(),
  { config, ...options }: SetupOptions & { upstream?: object } = {},
) {
  const upstream = await replayUpstream(replay);
  const compatible = Object.fromEntries(
    Object.entries(prefixes).map(([family, prefix]) => [
      family,
      {
        upstream: {
          base_url: `${upstream.url}/vendor${prefix}`,
          api_key_env: 'UPSTREAM_KEY',
          ...options.upstream,
        },
      },
    ]),
  );
  const server = await setupServer({
    secrets: { UPSTREAM_KEY: upstreamKey },
    ...options,
    config: { compatible, ...config },
  });
  const http = await listen(server.app);
  return {
    ...server,
    ...http,
    /** The requests that the upstream received. */
    calls: upstream.calls,
    /** Sends a request with the API key as `Authorization`. */
    send: (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
      fetch(`${http.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${testApiKey}`, ...init.headers },
      }),
  };
}
