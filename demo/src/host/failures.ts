import { randomBytes } from 'node:crypto';
import type { PlatformClient } from '@inlay/node';
import type { Context, MiddlewareHandler } from 'hono';
import type { Network } from '../network.ts';
import type { ProxyFault, ReverseProxy } from '../proxy.ts';

/** A failure of the token endpoint, a proxy, or the embed policy, which the demo simulates. */
interface Failure {
  /** Replaces the token endpoint. */
  token?: (c: Context) => Response | Promise<Response>;
  /** Fault of the reverse proxy in front of the platform. */
  proxy?: ProxyFault;
  /** Replaces the agents' allowed origins. */
  origins?: readonly string[];
}

const failures = {
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
  'proxy-buffer': { proxy: 'buffer' },
  'proxy-hide': { proxy: 'hide' },
  'proxy-preflight': { proxy: 'preflight' },
  'proxy-path': { proxy: 'path' },
  'proxy-gateway': { proxy: 'gateway' },
} as const satisfies Record<string, Failure>;

export type FailureName = keyof typeof failures;
export const failureNames = Object.keys(failures) as FailureName[];

/** The allowed origins of `demo/inlay.config.ts`. */
export const defaultOrigins = ['http://localhost:*'];

export interface FailuresOptions {
  /** All agents of the demo, because CORS allows an origin if at least one agent allows it. */
  agents: readonly string[];
  platform: PlatformClient;
  network: Network;
  proxy: ReverseProxy;
}

/** Failures that users can cause in the developer panel, to try the diagnosis. */
export interface Failures {
  readonly current: FailureName;
  /** Ends the current failure and starts another one. */
  causeFailure(name: FailureName): Promise<void>;
  /** Middleware that replaces the token endpoint during a failure with a `token` handler. */
  readonly tokenEndpoint: MiddlewareHandler;
}

export function createFailures({ agents, platform, network, proxy }: FailuresOptions): Failures {
  let current: FailureName = 'none';
  const currentFailure = (): Failure => failures[current];

  return {
    get current() {
      return current;
    },
    async causeFailure(name) {
      const { origins: previousOrigins } = currentFailure();
      const { origins, proxy: fault } = failures[name] as Failure;
      current = name;
      proxy.fault = fault ?? null;
      network.redirect(fault ? proxy.port : null);
      if (origins || previousOrigins) {
        const allowed_origins = [...(origins ?? defaultOrigins)];
        for (const agent of agents) {
          await platform.agents.update(agent, { embed: { allowed_origins } });
        }
      }
    },
    async tokenEndpoint(c, next) {
      const respond = currentFailure().token;
      if (respond) return respond(c);
      await next();
    },
  };
}
