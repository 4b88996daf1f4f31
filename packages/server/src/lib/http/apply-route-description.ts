import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Clock } from '../clock.ts';
import { announceDeprecation, isAfterSunset } from './deprecation.ts';
import type { AppEnv } from './env.ts';
import { type Route, type RouteDescription, routeName } from './route.ts';

/**
 * Middleware that finds the description of a request's route before authentication and rate limits. It
 * sets the variables `endsAccess` and `isModelRoute`, and the deprecation headers, which 429 responses
 * have as well (docs/conformance.md, 9.5).
 *
 * @param routes Called at the first request, when all routes are known.
 */
export function applyRouteDescription(
  routes: () => readonly Route[],
  clock: Clock,
): MiddlewareHandler<AppEnv> {
  let byName: ReadonlyMap<string, RouteDescription> | undefined;
  return async function applyDescription(c, next) {
    byName ??= new Map(routes().map(({ description }) => [routeName(description), description]));
    // Middleware and the refusals of other methods have the method `ALL`.
    const matched = matchedRoutes(c).find(({ method }) => method !== 'ALL');
    const description = matched && byName.get(routeName(matched));
    c.set('endsAccess', description?.endsAccess ?? false);
    c.set('isModelRoute', c.req.path.startsWith('/model/'));
    const deprecated = description?.deprecated;
    if (deprecated && !isAfterSunset(deprecated, clock.now())) announceDeprecation(c, deprecated);
    await next();
  };
}
