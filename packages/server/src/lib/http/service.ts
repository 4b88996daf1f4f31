import type { Hono, MiddlewareHandler } from 'hono';
import { ApiError } from '../problems/api-error.ts';
import type { AppEnv } from './env.ts';
import { requireAudience } from './mount-routes.ts';
import type { Route } from './route.ts';

/** A service of the platform: everything below the first segment of its paths. */
export interface Service {
  /** First segment of the paths, such as `/agent`. */
  prefix: string;
  /** Middleware of all its routes, in this order. */
  guards: readonly MiddlewareHandler<AppEnv>[];
  /** Code of invalid input. By default `VALIDATION_ERROR`. */
  invalidCode?: 'INVALID_PARAMS';
  /** Its routes; null for a service of the reference that this server does not have. */
  routes: readonly Route[] | null;
}

/** Adds the middleware of the services to the router, and the responses of those that it does not have. */
export function mountServices(app: Hono<AppEnv>, services: readonly Service[]): void {
  for (const { prefix, guards, routes } of services) {
    for (const guard of guards) app.use(`${prefix}/*`, guard);
    if (!routes) app.all(`${prefix}/*`, refuseService(prefix));
  }
}

/** Refuses every path of a service with 501, after the API key was checked. */
function refuseService(prefix: string): MiddlewareHandler<AppEnv> {
  return async (c) => {
    requireAudience(c, 'backend');
    throw new ApiError('not_implemented', `This platform has no service at \`${prefix}\`.`);
  };
}

/** Lists the routes of all services. */
export function routesOf(services: readonly Service[]): Route[] {
  return services.flatMap(({ routes, invalidCode }) =>
    (routes ?? []).map((each) =>
      invalidCode ? { ...each, description: { ...each.description, invalidCode } } : each,
    ),
  );
}
