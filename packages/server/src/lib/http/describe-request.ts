import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Clock } from '../clock.ts';
import { announceDeprecation, hasEnded } from './deprecation.ts';
import type { AppEnv } from './env.ts';
import type { Route, RouteDescription } from './route.ts';

/**
 * Middleware that applies the description of a route before authentication and rate limits: it sets
 * `endsAccess` of the request, and the deprecation headers, which 429 responses have as well (service
 * reference, section 9.5).
 *
 * @param routes Called at the first request, when all routes are known.
 */
export function describeRequest(
  routes: () => readonly Route[],
  clock: Clock,
): MiddlewareHandler<AppEnv> {
  let byName: ReadonlyMap<string, RouteDescription> | undefined;
  return async function setDescription(c, next) {
    byName ??= new Map(routes().map(({ description }) => [nameOf(description), description]));
    const matched = matchedRoutes(c).map((route) => byName?.get(nameOf(route)));
    const description = matched.find((candidate) => candidate !== undefined);
    c.set('endsAccess', description?.endsAccess ?? false);
    const deprecated = description?.deprecated;
    if (deprecated && !hasEnded(deprecated, clock.now())) announceDeprecation(c, deprecated);
    await next();
  };
}

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path}`;
}
