import type { IncomingMessage, ServerResponse } from 'node:http';
import { browserPorts } from '../ports.ts';
import { PlatformServer, sendProblem } from './platform-server.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Request handlers by method and path. */
export type Routes = Record<string, Handler>;

/** Contained in every secret of these tests, so that a report can be checked for secrets. */
export const secret = 'SECRET';
export const validToken = `et_${secret}_of_ada`;

const platforms: PlatformServer[] = [];

export async function closeSites(): Promise<void> {
  for (const platform of platforms.splice(0)) await platform.stop();
}

/**
 * Starts a platform and a token endpoint on one address.
 *
 * @param faults Handlers that replace those of the platform and the token endpoint.
 * @param clockOffset How far the platform's clock is ahead, in milliseconds.
 */
export async function startSite(faults: Routes = {}, clockOffset = 0) {
  const requests: string[] = [];
  const routes: Routes = { ...siteRoutes, ...faults };
  const clock = { ...browserPorts().clock, now: () => Date.now() + clockOffset };
  const platform = await PlatformServer.start({ clock });
  platforms.push(platform);
  platform.userOf = (token) => (token === validToken ? 'ada' : null);
  platform.intercept = (request, response) => {
    const path = new URL(request.path, platform.baseUrl).pathname;
    const name = `${request.method} ${path}`;
    requests.push(name);
    const route = routes[name] ?? routes[path.startsWith('/agent/') ? 'agent' : ''];
    route?.(response.req, response);
    return route && 'handled';
  };
  return { url: platform.baseUrl, requests, platform };
}

/** Routes outside `/agent/v1`, which the scripted platform does not have. */
const siteRoutes: Routes = {
  'GET /meta/v1/health': jsonResponse(200, { status: 'ok', version: '1.2.3' }),
  'POST /token': jsonResponse(200, { token: validToken, expires_at: '2099-01-01T00:00:00Z' }),
};

export function jsonResponse(status: number, body: unknown): Handler {
  return (_incoming, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function problemResponse(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Handler {
  return (_incoming, response) => sendProblem(response, status, code, { headers, detail: secret });
}

/** Passes each request to the next handler, and all further requests to the last handler. */
export function inOrder(...handlers: readonly Handler[]): Handler {
  let count = 0;
  return (incoming, response) =>
    handlers[Math.min(count++, handlers.length - 1)]?.(incoming, response);
}

export function webPage(status: number): Handler {
  return (_incoming, response) =>
    response
      .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>${secret}</title>`);
}

/** Closes the connection without a response. */
export const closeConnection: Handler = (_incoming, response) => response.destroy();
/** Never responds, and keeps the connection open. */
export const neverRespond: Handler = () => undefined;
