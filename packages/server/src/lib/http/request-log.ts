import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ApiError } from '../problems/api-error.ts';
import { type SerializedProblem, serializeProblem } from '../problems/problem-response.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import type { AppEnv } from './env.ts';

/**
 * Middleware that gives each request an id and logs one line: route, caller and result. API keys
 * are logged by the id that `inlay-server keys list` shows. Paths, queries, headers and bodies are
 * not logged, because they may contain user data. An `X-Request-Id` of the caller is ignored, because
 * it could contain anything, or the id of another request.
 */
export function requestLog({ clock, random, log }: Services): MiddlewareHandler<AppEnv> {
  return async function logRequest(c, next) {
    const requestId = newId(random, 'req_');
    const startedAt = clock.now();
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
      ms: clock.now() - startedAt,
      caller: caller?.kind,
      api_key: caller?.kind === 'backend' ? caller.keyId : undefined,
      agent: caller?.kind === 'end_user' ? caller.agentId : undefined,
      code: problem?.code,
      instance: problem?.instance,
    });
  };
}

/**
 * Returns a function that creates and logs the response to a request that did not reach the router.
 */
export function refuseUnrouted(services: Services): (error: ApiError) => SerializedProblem {
  return function refuse(error) {
    const requestId = newId(services.random, 'req_');
    const serialized = serializeProblem(error, services);
    const { status, problem } = serialized;
    const { code, instance } = problem;
    services.log.info('request', { request: requestId, status, code, instance });
    const headers = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' };
    return { ...serialized, headers: { ...headers, ...serialized.headers } };
  };
}
