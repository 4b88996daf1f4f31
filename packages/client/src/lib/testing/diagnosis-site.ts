import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Request handlers by method and path. */
export type Routes = Record<string, Handler>;

/** Contained in every secret of these tests, so that a report can be checked for secrets. */
export const secret = 'SECRET';
export const validToken = `et_${secret}_of_ada`;

const cleanups: (() => unknown)[] = [];

export async function closeSites(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup();
}

/** Starts a server on its own port, which `closeSites` closes. */
export async function serve(handler: Handler): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a platform and a token endpoint on one address. `faults` replaces handlers. */
export async function startSite(faults: Routes = {}) {
  const requests: string[] = [];
  const routes: Routes = { ...workingRoutes, ...faults };
  const url = await serve((incoming, response) => {
    const path = new URL(incoming.url ?? '', 'http://site').pathname;
    const name = `${incoming.method} ${path}`;
    requests.push(name);
    const route = routes[name] ?? routes[path.startsWith('/agent/') ? 'agent' : ''];
    incoming.resume();
    if (route) route(incoming, response);
    else problem(404, 'NOT_FOUND')(incoming, response);
  });
  return { url, requests };
}

const workingRoutes: Routes = {
  'GET /meta/v1/health': json(200, { status: 'ok', version: '1.2.3' }),
  'GET /agent/v1/embed/config': (incoming, response) => {
    const known = incoming.headers.authorization === `Bearer ${validToken}`;
    if (!known) return problem(401, 'AUTHENTICATION_ERROR')(incoming, response);
    return config()(incoming, response);
  },
  'GET /agent/v1/embed/stream_check': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': padding\n\n');
    for (const n of [1, 2, 3]) {
      response.write(`data: {"type":"stream_check","n":${n}}\n\n`);
      if (n < 3) await sleep(250);
    }
    response.end();
  },
  'POST /token': json(200, { token: validToken, expires_at: '2099-01-01T00:00:00Z' }),
};

/**
 * Responds to `embed/config`.
 *
 * @param clockOffset How far the platform's clock is ahead, in milliseconds.
 */
export function config(clockOffset = 0): Handler {
  return (incoming, response) =>
    json(200, {
      agent: { id: 'agt_1', name: 'Demo' },
      starter_prompts: [],
      features: {},
      image_origins: [],
      theme: {},
      token: {
        expires_at: new Date(Date.now() + clockOffset + 600_000).toISOString(),
        external_user_id: 'ada',
      },
      server_time: new Date(Date.now() + clockOffset).toISOString(),
    })(incoming, response);
}

export function json(status: number, body: unknown): Handler {
  return (_incoming, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function problem(status: number, code: string): Handler {
  return (_incoming, response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ code, status, detail: secret, retryable: status >= 500 }));
}

export function page(status: number): Handler {
  return (_incoming, response) =>
    response
      .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>${secret}</title>`);
}

export const drop: Handler = (incoming) => incoming.destroy();
export const silence: Handler = () => undefined;

/** Starts a proxy that buffers responses until they are complete. */
export function bufferingProxy(target: string): Promise<string> {
  return serve((incoming, response) => {
    const { method, headers } = incoming;
    const forwarded = request(target + incoming.url, { method, headers }, async (upstream) => {
      const chunks: Buffer[] = [];
      for await (const chunk of upstream) chunks.push(chunk as Buffer);
      response.writeHead(upstream.statusCode ?? 502, upstream.headers).end(Buffer.concat(chunks));
    });
    incoming.pipe(forwarded);
  });
}
