import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Services } from '../deps.ts';
import { newId } from '../ports/random.ts';
import type { AppEnv } from './env.ts';

/**
 * Names each request, and writes one line about it: which route, by whom, with what outcome. The
 * path itself is not written, nor a query, a header or a body: none of them is ours to keep.
 */
export function requestLog({ clock, random, log }: Services): MiddlewareHandler<AppEnv> {
  return async function logRequest(c, next) {
    const requestId = newId(random, 'req_');
    const begun = clock.now();
    c.set('requestId', requestId);
    c.header('x-request-id', requestId);
    c.header('x-content-type-options', 'nosniff');
    await next();
    const caller = c.get('caller');
    log.info('request', {
      request: requestId,
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      ms: clock.now() - begun,
      caller: caller?.kind,
      agent: caller?.kind === 'end_user' ? caller.agentId : undefined,
    });
  };
}
