import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { Fault, Match } from '../../../e2e/fault-proxy/fault.ts';

/** A mistake in the setup of a site, which the demo makes so that the diagnosis finds it. */
export interface Mistake {
  /** Replaces the token endpoint. */
  token?: (c: Context) => Response | Promise<Response>;
  /** Fault of a reverse proxy in front of the platform. */
  proxy?: { fault: Fault; match?: Match };
  /** Replaces the agents' allowed origins. */
  origins?: readonly string[];
}

/** The allowed origins of `demo/inlay.config.ts`. */
export const defaultOrigins = ['http://localhost:*'];

/** A response of the proxy that the page can read. */
const readable = (status: number) =>
  ({ type: 'answer', status, headers: { 'access-control-allow-origin': '*' } }) as const;

export const mistakes = {
  none: {},
  'token-error': {
    token: (c) => c.json({ detail: 'The session store of this site is not available.' }, 500),
  },
  'token-page': { token: (c) => c.html('<h1>Sign in to Vesper</h1>') },
  'token-foreign': {
    token: (c) => {
      const token = `et_${randomBytes(32).toString('base64url')}`;
      return c.json({ token, expires_at: new Date(Date.now() + 600_000).toISOString() });
    },
  },
  'token-silent': {
    // Does not respond until the browser has aborted the request.
    token: (c) =>
      new Promise((resolve) => {
        c.req.raw.signal.addEventListener('abort', () => resolve(c.body(null, 408)));
      }),
  },
  'origin-unknown': { origins: ['https://vesper.example'] },
  // nginx with `proxy_buffering on`.
  'proxy-buffer': { proxy: { fault: { type: 'buffer', head: true } } },
  'proxy-hide': { proxy: { fault: { type: 'strip-headers', prefix: 'access-control-' } } },
  'proxy-preflight': {
    proxy: { fault: { type: 'answer', status: 405 }, match: { method: 'OPTIONS' } },
  },
  'proxy-path': { proxy: { fault: readable(404), match: { path: /^\/agent\// } } },
  'proxy-gateway': { proxy: { fault: readable(502) } },
} as const satisfies Record<string, Mistake>;
