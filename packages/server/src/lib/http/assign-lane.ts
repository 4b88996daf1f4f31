import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { AppEnv } from './env.ts';
import type { Route } from './route.ts';

/**
 * Middleware that sets the lane of the request's route, before any middleware that may wait.
 *
 * @param routes Called at the first request, when all routes are known.
 */
export function assignLane(routes: () => readonly Route[]): MiddlewareHandler<AppEnv> {
  let stops: ReadonlySet<string> | undefined;
  return async function findLane(c, next) {
    stops ??= new Set(
      routes()
        .filter(({ description }) => description.lane === 'stop')
        .map(({ description }) => nameOf(description)),
    );
    const isStop = matchedRoutes(c).some((matched) => stops?.has(nameOf(matched)));
    c.set('lane', isStop ? 'stop' : undefined);
    await next();
  };
}

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path}`;
}
