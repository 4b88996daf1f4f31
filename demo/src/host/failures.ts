import { randomBytes } from 'node:crypto';
import type { PlatformClient } from '@inlay/node';
import type { Context, MiddlewareHandler } from 'hono';
import type { Network } from '../network.ts';
import type { ProxyFault, ReverseProxy } from '../proxy.ts';

/** What can be wrong, one thing at a time. Each is brought about for real. */
interface Failure {
  /** What comes of it in place of the token endpoint's answer. */
  token?: (c: Context) => Response | Promise<Response>;
  /** The fault of the proxy that then stands before the platform. */
  proxy?: ProxyFault;
  /** The origins that the agent then allows. */
  origins?: readonly string[];
}

const failures = {
  none: {},
  'token-error': {
    token: (c) => c.json({ detail: 'The session store of this site does not answer.' }, 500),
  },
  'token-page': { token: (c) => c.html('<h1>Sign in to Vesper</h1>') },
  'token-foreign': {
    token: (c) => {
      const token = `et_${randomBytes(32).toString('base64url')}`;
      return c.json({ token, expires_at: new Date(Date.now() + 600_000).toISOString() });
    },
  },
  'token-silent': {
    // It lets go when the browser does, so that nothing is left hanging.
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

/** The origins of `demo/inlay.config.ts`, which stand where nothing is wrong. */
export const usualOrigins = ['http://localhost:*'];

export interface FailuresOptions {
  /** All agents of the demo: a page is let in where one of them allows its origin. */
  agents: readonly string[];
  platform: PlatformClient;
  network: Network;
  proxy: ReverseProxy;
}

/** What the developer panel of the pages can break, to see what a diagnosis says to it. */
export interface Failures {
  readonly current: FailureName;
  /** Ends the failure that stands, and brings this one about. */
  bringAbout(name: FailureName): Promise<void>;
  /** Stands before the token endpoint. */
  readonly tokenEndpoint: MiddlewareHandler;
}

export function createFailures({ agents, platform, network, proxy }: FailuresOptions): Failures {
  let current: FailureName = 'none';
  const standing = (): Failure => failures[current];

  return {
    get current() {
      return current;
    },
    async bringAbout(name) {
      const { origins: before } = standing();
      const { origins, proxy: fault } = failures[name] as Failure;
      current = name;
      proxy.fault = fault ?? null;
      network.lead(fault ? proxy.port : null);
      if (origins || before) {
        const allowed_origins = [...(origins ?? usualOrigins)];
        for (const agent of agents) {
          await platform.agents.update(agent, { embed: { allowed_origins } });
        }
      }
    },
    async tokenEndpoint(c, next) {
      const answer = standing().token;
      if (answer) return answer(c);
      await next();
    },
  };
}
