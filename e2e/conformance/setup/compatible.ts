import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type ServerOptions, startReferenceServer } from './server.ts';

/** The version segments of the compatible families. */
const versions = {
  chat_model: '/v1',
  message_model: '/v1',
  generative_model: '/v1beta',
  sandbox: '',
  web_search: '',
} as const;
export type Name = keyof typeof versions;
export const names = Object.keys(versions) as Name[];

/** A request that the upstream received. */
export interface ReceivedRequest {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface CompatibleOptions extends ServerOptions {
  /** How the upstream responds; by default with JSON. */
  readonly respond?: (response: ServerResponse, request: ReceivedRequest) => void;
}

/** Responds with JSON. */
export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Starts a server with one upstream for all compatible families. */
export async function startCompatibleServer({
  respond = (response) => sendJson(response, { of: 'the upstream' }),
  ...options
}: CompatibleOptions = {}) {
  const received: ReceivedRequest[] = [];
  const upstream = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url, headers } = request;
    const current = { url, headers, body: Buffer.concat(chunks).toString() };
    received.push(current);
    respond(response, current);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  onTestFinished(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  const address = upstream.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const compatible = Object.fromEntries(
    names.map((name) => {
      const base_url = `http://127.0.0.1:${port}/vendor${versions[name]}`;
      return [name, { upstream: { base_url, api_key_env: 'UPSTREAM_KEY' } }];
    }),
  );
  const server = await startReferenceServer({
    secrets: { UPSTREAM_KEY: 'sk-of-the-upstream' },
    ...options,
    config: { compatible, ...options.config },
  });
  return { ...server, received };
}
