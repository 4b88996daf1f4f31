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
 * not logged, because they may contain user data. A request id of the caller is ignored, because it
 * could contain anything, or be the id of another request.
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
 * Returns a function that rejects requests that never reach the router, and logs them with a request
 * id.
 */
export function refuseUnrouted(services: Services): (error: ApiError) => SerializedProblem {
  return function refuse(error) {
    const requestId = newId(services.random, 'req_');
    const written = serializeProblem(error, services);
    const { code, instance } = written.problem;
    services.log.info('request', { request: requestId, status: written.status, code, instance });
    const headers = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' };
    return { ...written, headers: { ...headers, ...written.headers } };
  };
}
