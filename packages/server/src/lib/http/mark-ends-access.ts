import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { AppEnv } from './env.ts';
import type { Route } from './route.ts';

/**
 * Middleware that sets `endsAccess` of the request, before any middleware that may wait.
 *
 * @param routes Called at the first request, when all routes are known.
 */
export function markEndsAccess(routes: () => readonly Route[]): MiddlewareHandler<AppEnv> {
  let marked: ReadonlySet<string> | undefined;
  return async function setEndsAccess(c, next) {
    marked ??= new Set(
      routes()
        .filter(({ description }) => description.endsAccess)
        .map(({ description }) => nameOf(description)),
    );
    const endsAccess = matchedRoutes(c).some((matched) => marked?.has(nameOf(matched)));
    c.set('endsAccess', endsAccess);
    await next();
  };
}

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path}`;
}
