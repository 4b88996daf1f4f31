import { idPrefix, type Problem, type ProblemCode, problems } from '@inlay/protocol';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../http/env.ts';
import { newId, type Random } from '../random.ts';
import { chatModelError } from '../upstreams/error-bodies.ts';
import type { ApiError, ApiErrorExtras } from './api-error.ts';

/** The base URL of the problem pages, and the random source for ids. */
export interface ProblemContext {
  baseUrl: string;
  random: Random;
}

/** The parts of an error response, which is sent by the router or written to a socket. */
export interface SerializedProblem {
  status: number;
  headers: Record<string, string>;
  problem: Problem;
}

/**
 * Converts an error to body and headers: RFC 9457 with the members and headers of
 * docs/conformance.md, 7.2 and 7.3.
 */
export function serializeProblem(
  error: ApiError,
  context: ProblemContext,
  { hasCredential = false }: { hasCredential?: boolean } = {},
): SerializedProblem {
  const { code, extras } = error;
  const definition = problems[code];
  const isRateLimit = code === 'RATE_LIMITED';
  const scope = extras.scope ?? 'platform';
  const problem: Problem = {
    type: `${context.baseUrl}/problems/${extras.name ?? definition.name}`,
    title: definition.title,
    status: definition.status,
    detail: error.message,
    instance: newId(context.random, idPrefix.problem),
    code,
    retryable: definition.retryable,
    ...(isRateLimit && { kind: 'rate_limit', scope }),
    ...(extras.param !== undefined && { param: extras.param }),
    ...(extras.details && { details: extras.details }),
    ...(extras.errors && { errors: extras.errors }),
  };
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...problemHeaders(code, extras),
    // The official clients retry every 5xx, 408, 409 and 429 without this header.
    ...(!definition.retryable && { 'x-should-retry': 'false' }),
    ...(extras.retryAfter !== undefined && { 'retry-after': String(extras.retryAfter) }),
    ...(definition.status === 401 && { 'www-authenticate': challenge(hasCredential) }),
    ...extras.headers,
  };
  return { status: definition.status, headers, problem };
}

/** Returns the headers of an error response (docs/conformance.md, 7.3). */
export function problemHeaders(
  code: ProblemCode,
  { origin, scope = 'platform' }: Pick<ApiErrorExtras, 'origin' | 'scope'> = {},
): Record<string, string> {
  const definition = problems[code];
  return {
    'x-service-problem-code': code,
    'x-service-problem-kind': definition.kind,
    'x-service-problem-origin': origin ?? definition.origin,
    'x-service-problem-retryable': String(definition.retryable),
    'x-service-recovery-action': definition.recovery,
    ...(code === 'RATE_LIMITED' && { 'x-service-problem-scope': scope }),
  };
}

/**
 * Creates the response for an error. The body is a problem or, under a compatible prefix, an error in
 * the format of the official API (docs/conformance.md, 7.2). A problem of a model route also
 * has the error in the format of OpenAI, because OpenAI clients can use that service.
 */
export function problemResponse(
  c: Context<AppEnv>,
  error: ApiError,
  context: ProblemContext,
): Response {
  const hasCredential = c.req.header('authorization') !== undefined;
  const { status, headers, problem } = serializeProblem(error, context, { hasCredential });
  c.set('problem', problem);
  const family = c.get('family');
  const { familyCode } = error.extras;
  if (!family) {
    // OpenAI clients read only the member `error`.
    const requestId = c.get('requestId');
    const sent = c.get('isModelRoute')
      ? { ...problem, ...chatModelError({ problem, familyCode, requestId }) }
      : problem;
    return c.body(JSON.stringify(sent), status as ContentfulStatusCode, headers);
  }
  const body = family.errorBody({ problem, familyCode, requestId: c.get('requestId') });
  return c.body(JSON.stringify(body), status as ContentfulStatusCode, {
    ...headers,
    'content-type': 'application/json',
  });
}

/** Returns the challenge of RFC 6750, section 3: `invalid_token` only if a credential was sent. */
function challenge(hasCredential: boolean): string {
  return hasCredential ? 'Bearer realm="inlay", error="invalid_token"' : 'Bearer realm="inlay"';
}
