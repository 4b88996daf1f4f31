import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ApiError } from '../problems/api-error.ts';
import { type WrittenProblem, writeProblem } from '../problems/problem-response.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import type { AppEnv } from './env.ts';

/**
 * Names each request, and writes one line about it: which route, by whom, with what outcome. An API
 * key is named by its id, as `inlay-server keys list` shows it. The
 * path itself is not written, nor a query, a header or a body: none of them is ours to keep. The
 * name is ours, too: a caller's own `X-Request-Id` could hold anything, and hide among others.
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
    const problem = c.get('problem');
    log.info('request', {
      request: requestId,
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      ms: clock.now() - begun,
      caller: caller?.kind,
      api_key: caller?.kind === 'backend' ? caller.keyId : undefined,
      agent: caller?.kind === 'end_user' ? caller.agentId : undefined,
      code: problem?.code,
      instance: problem?.instance,
    });
  };
}

/** Refuses what never became a request of the router, with a name and a line in the log all the same. */
export function refuseUnrouted(services: Services): (error: ApiError) => WrittenProblem {
  return function refuse(error) {
    const requestId = newId(services.random, 'req_');
    const written = writeProblem(error, services);
    const { code, instance } = written.problem;
    services.log.info('request', { request: requestId, status: written.status, code, instance });
    const headers = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' };
    return { ...written, headers: { ...headers, ...written.headers } };
  };
}
