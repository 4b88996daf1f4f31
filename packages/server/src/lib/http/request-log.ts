import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Clock } from '../clock.ts';
import type { ApiError } from '../problems/api-error.ts';
import { type SerializedProblem, serializeProblem } from '../problems/problem-response.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import type { AppEnv } from './env.ts';

/** Lines per second for refused requests that any caller can send. */
const maximumRefusalLines = 20;

/**
 * Middleware that gives each request an id and logs one line: route, caller and result. API keys
 * are logged by the id that `inlay-server keys list` shows. Paths, queries, headers and bodies are
 * not logged, because they may contain user data. An `X-Request-Id` of the caller is ignored, because
 * it could contain anything, or the id of another request.
 *
 * Callers without a credential, or beyond their rate limit, could fill the log with refused requests.
 * At most 20 a second have a line; the next line has the number of the others, as `unlogged`.
 */
export function requestLog({ clock, random, log, metrics }: Services): MiddlewareHandler<AppEnv> {
  const sample = createSample(clock);
  return async function logRequest(c, next) {
    const requestId = newId(random, 'req_');
    const startedAt = clock.now();
    c.set('requestId', requestId);
    c.header('x-request-id', requestId);
    c.header('x-content-type-options', 'nosniff');
    await next();
    const caller = c.get('caller');
    const problem = c.get('problem');
    const { status } = c.res;
    const route = routePath(c, -1);
    const ms = clock.now() - startedAt;
    metrics?.countRequest({ route, method: c.req.method, status, ms, code: problem?.code });
    const isSampled = status === 429 || (status >= 400 && status < 500 && !caller);
    const unlogged = isSampled ? sample() : 0;
    if (unlogged === null) return;
    log.info('request', {
      request: requestId,
      method: c.req.method,
      route,
      status,
      ms,
      caller: caller?.kind,
      api_key: caller?.kind === 'backend' ? caller.keyId : undefined,
      agent: caller?.kind === 'end_user' ? caller.agentId : undefined,
      code: problem?.code,
      instance: problem?.instance,
      unlogged: unlogged || undefined,
    });
  };
}

/**
 * Returns a function that decides whether a line is logged. It returns null if it is not, and otherwise
 * the number of lines that were not logged since the last one.
 */
function createSample(clock: Clock): () => number | null {
  let second = 0;
  let lines = 0;
  let unlogged = 0;
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) lines = 0;
    second = now;
    if (lines >= maximumRefusalLines) {
      unlogged += 1;
      return null;
    }
    lines += 1;
    const count = unlogged;
    unlogged = 0;
    return count;
  };
}

/**
 * Returns a function that creates and logs the response to a request that did not reach the router.
 */
export function refuseUnrouted(services: Services): (error: ApiError) => SerializedProblem {
  const sample = createSample(services.clock);
  return function refuse(error) {
    const requestId = newId(services.random, 'req_');
    const serialized = serializeProblem(error, services);
    const { status, problem } = serialized;
    const { code, instance } = problem;
    services.metrics?.countRequest({ route: 'unrouted', method: '', status, ms: 0, code });
    const unlogged = sample();
    if (unlogged !== null) {
      const fields = { request: requestId, status, code, instance };
      services.log.info('request', { ...fields, unlogged: unlogged || undefined });
    }
    const headers = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' };
    return { ...serialized, headers: { ...headers, ...serialized.headers } };
  };
}
