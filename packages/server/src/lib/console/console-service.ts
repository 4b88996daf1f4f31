import type { Context, MiddlewareHandler } from 'hono';
import { except } from 'hono/combine';
import type { AppEnv } from '../http/env.ts';
import type { Route } from '../http/route.ts';
import type { PlatformService } from '../http/service.ts';
import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { consoleApi, guardChanges, identifyOperator, signInPaths } from './console-guards.ts';
import { sessionRoutes } from './console-routes.ts';
import { operatorRoutes } from './operator-routes.ts';

/** Prefix of the routes that operators use as well. */
const agentApi = '/agent/v1';

/**
 * The API of the console: the routes of the agent service that API keys can use, for operators with a
 * cookie, and routes for API keys and operators.
 *
 * @param options.before Middleware before the operator is identified.
 * @param options.after Middleware after that.
 */
export function consoleService(
  services: Services,
  agentRoutes: readonly Route[],
  {
    before,
    after,
  }: {
    before: readonly MiddlewareHandler<AppEnv>[];
    after: readonly MiddlewareHandler<AppEnv>[];
  },
): PlatformService {
  return {
    prefix: consoleApi,
    guards: [
      ...before,
      identifyOperator(services),
      except(isForSignIn, ...after),
      guardChanges(services),
    ],
    routes: [
      ...sessionRoutes(services),
      ...adminRoutes(services),
      ...agentRoutes.flatMap(toConsoleRoute),
    ],
    fallback: async () => {
      throw notFound('The console has nothing at this path.');
    },
  };
}

/**
 * Whether the page of the sign-in sends the request, which has no credential yet. The limit for sources
 * without one would stop several operators behind one address; `before` has a limit, too.
 */
function isForSignIn(c: Context<AppEnv>): boolean {
  return c.req.method === 'GET' && !c.get('caller') && signInPaths.includes(c.req.path);
}

/** Routes that only operators with the role `admin` can use, and that no API key can use. */
export function adminRoutes(services: Services): Route[] {
  return [...apiKeyRoutes(services), ...operatorRoutes(services)];
}

/** Streams are left out: the pages of the console load conversations as they are. */
function toConsoleRoute({ description, handle }: Route): Route[] {
  const { audience, responseType, path } = description;
  const isForBackends = audience === 'backend' || audience === 'any';
  if (!isForBackends || responseType === 'text/event-stream') return [];
  return [{ description: { ...description, path: path.replace(agentApi, consoleApi) }, handle }];
}
