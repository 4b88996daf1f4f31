import type { Hono, MiddlewareHandler } from 'hono';
import type { Deprecation } from '../config/deprecation.ts';
import type { BodyLimiter } from '../limits/body-limiter.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { withDeprecations } from './deprecation.ts';
import type { AppEnv } from './env.ts';
import { mountRoutes, requireAudience } from './mount-routes.ts';
import type { Route } from './route.ts';

/** A service of the platform: everything below the first segment of its paths. */
export interface PlatformService {
  /** First segment of the paths, such as `/agent`. */
  prefix: string;
  /** Middleware for all paths of the service, in this order. */
  guards: readonly MiddlewareHandler<AppEnv>[];
  /** Problem code for invalid input. By default `VALIDATION_ERROR`. */
  invalidCode?: 'INVALID_PARAMS';
  routes: readonly Route[];
  /** Handles requests for paths without a route. By default they get a 404. */
  fallback?: MiddlewareHandler<AppEnv>;
}

/**
 * Adds the middleware and the routes of the platform services to the router.
 *
 * @param services Dependencies of the routes.
 * @param options.deprecations Deprecations of the configuration, by the names of routes.
 * @param options.bodies Limits the bodies of all requests together.
 * @returns The routes, with their deprecations.
 */
export function mountServices(
  app: Hono<AppEnv>,
  platformServices: readonly PlatformService[],
  services: Services,
  {
    deprecations,
    bodies,
  }: { deprecations: Readonly<Record<string, Deprecation>>; bodies: BodyLimiter },
): readonly Route[] {
  for (const { prefix, guards } of platformServices) {
    for (const guard of guards) app.use(`${prefix}/*`, guard);
  }
  const routes = withDeprecations(routesOf(platformServices), deprecations);
  mountRoutes(app, routes, services, bodies);
  for (const { prefix, fallback } of platformServices) {
    if (fallback) app.all(`${prefix}/*`, fallback);
  }
  return routes;
}

/**
 * Handler for a service that this server does not have: requests with a valid API key get a 501.
 */
export function refuseService(prefix: string): MiddlewareHandler<AppEnv> {
  return async (c) => {
    requireAudience(c, 'backend');
    throw new ApiError('not_implemented', `This platform has no service at \`${prefix}\`.`);
  };
}

/** Lists the routes of all services. */
function routesOf(platformServices: readonly PlatformService[]): Route[] {
  return platformServices.flatMap(({ routes, invalidCode }) =>
    routes.map((each) =>
      invalidCode ? { ...each, description: { ...each.description, invalidCode } } : each,
    ),
  );
}
