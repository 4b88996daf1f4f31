import { type PlatformClient, PlatformError } from '@inlay/node';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { FaultProxy } from '../../../e2e/fault-proxy/fault-proxy.ts';
import type { Rule } from '../../../e2e/fault-proxy/rules.ts';
import type { PlatformProcess } from '../platform.ts';
import type { Customer } from './customers.ts';
import { defaultOrigins, type Mistake, mistakes } from './mistakes.ts';
import { models } from './models.ts';
import { sameOrigin } from './same-origin.ts';

/** Delay of each chunk in a slow network in milliseconds, in both directions. */
const slowChunkDelay = 400;

export interface FailuresOptions {
  agent: string;
  /** All agents of the demo, because CORS allows an origin if at least one agent allows it. */
  agents: readonly string[];
  platform: PlatformClient;
  /** The platform's process, which can be killed and started. */
  child: PlatformProcess;
  /** Proxy between browsers and the platform. */
  proxy: FaultProxy;
  signedInCustomer: (request: Request) => Customer | null;
}

export interface Failures {
  /** The endpoints of the buttons. */
  readonly routes: Hono;
  /** Middleware that replaces the token endpoint during a mistake with a `token` handler. */
  readonly tokenEndpoint: MiddlewareHandler;
}

/** An action that is invalid or not possible in the current state. The page shows the message. */
class FailureError extends Error {
  override readonly name = 'FailureError';
}

/** The states of each setting. */
const states: Record<Setting, readonly string[]> = {
  network: ['up', 'slow', 'cut'],
  model: Object.keys(models),
  platform: ['running', 'killed'],
  mistake: Object.keys(mistakes),
};

type Setting = 'network' | 'model' | 'platform' | 'mistake';

/**
 * Failures that the buttons of the pages cause. For the demo only, because a page can block its user with
 * them. They show the calls with which a real backend signs a user out or blocks a user.
 */
export function createFailures(options: FailuresOptions): Failures {
  const { agent, agents, platform, proxy, child } = options;
  const current: Record<Setting, string> = {
    network: 'up',
    model: 'normal',
    platform: 'running',
    mistake: 'none',
  };
  let networkRules: Rule[] = [];
  let mistake: Mistake = mistakes.none;
  let mistakeRule: Rule | null = null;

  const apply: Record<Setting, (state: string) => unknown> = {
    network(state) {
      for (const rule of networkRules.splice(0)) rule.remove();
      if (state === 'cut') proxy.goOffline('reset');
      else proxy.goOnline();
      if (state !== 'slow') return;
      networkRules = (['request', 'answer'] as const).map((side) =>
        proxy.faults.add({ type: 'delay', ms: slowChunkDelay, side }),
      );
      // A fault applies to new requests. An open stream would stay fast.
      proxy.cut('reset');
    },
    // `keep_version` applies the model to open conversations as well.
    model: (state) =>
      platform.agents.update(agent, {
        model: models[state as keyof typeof models],
        keep_version: true,
      }),
    platform: (state) => (state === 'running' ? child.start() : child.kill()),
    async mistake(state) {
      const previous = mistake;
      mistake = mistakes[state as keyof typeof mistakes];
      mistakeRule?.remove();
      mistakeRule = mistake.proxy
        ? proxy.faults.add(mistake.proxy.fault, mistake.proxy.match)
        : null;
      if (mistake.proxy || previous.proxy) proxy.cut('reset');
      if (!mistake.origins && !previous.origins) return;
      const allowed_origins = [...(mistake.origins ?? defaultOrigins)];
      for (const each of agents) await platform.agents.update(each, { embed: { allowed_origins } });
    },
  };

  const newestToken = async (endUser: string) => {
    const { data } = await platform.embedTokens.list({ external_user_id: endUser, limit: 100 });
    const active = data.find(
      (token) => !token.revoked_at && Date.parse(token.expires_at) > Date.now(),
    );
    if (!active) throw new FailureError(`${endUser} has no active token. Open the chat first.`);
    return active.id;
  };

  /** Actions on the end user. Each returns a sentence that the page shows. */
  const endUserActions: Record<string, (endUser: string) => Promise<string>> = {
    expire: async (endUser) => {
      const { id } = await platform.embedTokens.expire(await newestToken(endUser));
      return `Token ${id} of ${endUser} has expired.`;
    },
    revoke: async (endUser) => {
      const { id } = await platform.embedTokens.revoke(await newestToken(endUser));
      return `Token ${id} of ${endUser} is revoked.`;
    },
    'revoke-all': async (endUser) => {
      const { revoked_tokens: count } = await platform.endUsers.revokeTokens(agent, endUser);
      return `${count} ${count === 1 ? 'token' : 'tokens'} of ${endUser} revoked.`;
    },
    block: async (endUser) => {
      await platform.endUsers.block(agent, endUser);
      return `${endUser} is blocked.`;
    },
    unblock: async (endUser) => {
      await platform.endUsers.unblock(agent, endUser);
      return `${endUser} is no longer blocked.`;
    },
  };

  const routes = new Hono();
  routes.use(sameOrigin);
  routes.onError((error, c) => {
    if (error instanceof FailureError) return c.json({ detail: error.message }, 409);
    if (error instanceof PlatformError) {
      return c.json({ detail: `${error.code}: ${error.message}` }, 502);
    }
    throw error;
  });

  routes.get('/', (c) => c.json(current));

  routes.post('/:name', async (c) => {
    const name = c.req.param('name');
    const body = await bodyOf(c);
    if (isSetting(name)) {
      const { state } = body;
      if (typeof state !== 'string' || !states[name].includes(state)) {
        throw new FailureError(`state must be one of: ${states[name].join(', ')}.`);
      }
      await apply[name](state);
      current[name] = state;
      return c.json({ detail: `The ${name} is ${state}.` });
    }
    const perform = Object.hasOwn(endUserActions, name) && endUserActions[name];
    if (!perform) return c.json({ detail: 'Unknown action.' }, 404);
    const endUser = endUserOf(body.visitor, options.signedInCustomer(c.req.raw));
    return c.json({ detail: await perform(endUser) });
  });

  return {
    routes,
    async tokenEndpoint(c, next) {
      if (mistake.token) return mistake.token(c);
      await next();
    },
  };
}

const isSetting = (name: string): name is Setting => Object.hasOwn(states, name);

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => null);
  return body !== null && typeof body === 'object' ? { ...body } : {};
}

/**
 * Determines the end user of a request: the signed-in user, or the visitor whose id the page sends.
 * Other ids from the page are ignored.
 */
function endUserOf(visitor: unknown, customer: Customer | null): string {
  if (typeof visitor === 'string' && visitor.startsWith('anon_')) return visitor;
  if (customer) return customer.id;
  throw new FailureError('No one is signed in. Sign in first.');
}
