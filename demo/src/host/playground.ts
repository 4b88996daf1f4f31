import { type PlatformClient, PlatformError } from '@inlay/node';
import { type Context, Hono } from 'hono';
import type { Network } from '../network.ts';
import type { PlatformProcess } from '../platform.ts';
import type { Customer } from './customers.ts';
import { type FailureName, type Failures, failureNames } from './failures.ts';
import { models } from './models.ts';
import { sameOrigin } from './same-origin.ts';

export interface PlaygroundOptions {
  agent: string;
  platform: PlatformClient;
  /** The platform's process, which buttons kill and start. */
  child: PlatformProcess;
  network: Network;
  failures: Failures;
  signedInCustomer: (request: Request) => Customer | null;
}

/** An action that is invalid or not possible in the current state. The page shows the message. */
class PlaygroundError extends Error {
  override readonly name = 'PlaygroundError';
}

const failureOptions = Object.fromEntries(failureNames.map((name) => [name, true])) as Record<
  FailureName,
  true
>;
const networkStates = { cut: 'cut', restore: 'up', slow: 'slow' } as const;

/**
 * Endpoints of the playground's buttons. For the demo only, because a page can block its user with them.
 * They show the calls with which a real backend signs a user out or blocks a user.
 */
export function createPlayground(options: PlaygroundOptions): Hono {
  const { agent, platform, network, child, failures } = options;
  let model: keyof typeof models = 'normal';

  const newestToken = async (endUser: string) => {
    const { data } = await platform.embedTokens.list({ external_user_id: endUser, limit: 100 });
    const active = data.find(
      (token) => !token.revoked_at && Date.parse(token.expires_at) > Date.now(),
    );
    if (!active) throw new PlaygroundError(`${endUser} has no active token. Open the chat first.`);
    return active.id;
  };

  /** Actions on the end user, by the name of the button. Each returns a sentence that the page shows. */
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
    if (error instanceof PlaygroundError) return c.json({ detail: error.message }, 409);
    if (error instanceof PlatformError) {
      return c.json({ detail: `${error.code}: ${error.message}` }, 502);
    }
    throw error;
  });

  routes.get('/', (c) =>
    c.json({
      network: network.state,
      model,
      platform: child.running,
      failure: failures.current,
    }),
  );

  routes.post('/network', async (c) => {
    const action = await optionOf(c, 'action', networkStates);
    network.set(networkStates[action]);
    return c.json({ detail: `The network is ${network.state}.` });
  });

  routes.post('/model', async (c) => {
    const mode = await optionOf(c, 'mode', models);
    // `keep_version` applies the model to open conversations as well.
    await platform.agents.update(agent, { model: models[mode], keep_version: true });
    model = mode;
    return c.json({ detail: `The model is ${mode === 'fail' ? 'failing' : mode}.` });
  });

  routes.post('/failure', async (c) => {
    const name = await optionOf(c, 'failure', failureOptions);
    await failures.causeFailure(name);
    return c.json({ detail: name === 'none' ? 'No failure is active.' : 'The failure is active.' });
  });

  routes.post('/platform', async (c) => {
    const action = await optionOf(c, 'action', { kill: true, start: true });
    await child[action]();
    return c.json({ detail: `The platform is ${child.running ? 'running' : 'not running'}.` });
  });

  routes.post('/:action', async (c) => {
    const perform = endUserActions[c.req.param('action')];
    if (!perform) return c.json({ detail: 'Unknown action.' }, 404);
    const endUser = await endUserOf(c, options.signedInCustomer(c.req.raw));
    return c.json({ detail: await perform(endUser) });
  });

  return routes;
}

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => null);
  return body !== null && typeof body === 'object' ? { ...body } : {};
}

async function optionOf<Name extends string>(
  c: Context,
  member: string,
  options: Record<Name, unknown>,
): Promise<Name> {
  const value = (await bodyOf(c))[member];
  const found = (Object.keys(options) as Name[]).find((name) => name === value);
  if (found) return found;
  const known = Object.keys(options).map((name) => `"${name}"`);
  throw new PlaygroundError(
    `${member} must be ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
  );
}

/**
 * Determines the end user of a request: the signed-in user, or the visitor whose id the page sends.
 * Other ids from the page are ignored.
 */
async function endUserOf(c: Context, customer: Customer | null): Promise<string> {
  const { visitor } = await bodyOf(c);
  if (typeof visitor === 'string' && visitor.startsWith('anon_')) return visitor;
  if (customer) return customer.id;
  throw new PlaygroundError('No one is signed in. Sign in first.');
}
