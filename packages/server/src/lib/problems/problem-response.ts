import { idPrefix, type Problem, problems } from '@inlay/protocol';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../http/env.ts';
import { newId, type Random } from '../random.ts';
import type { ApiError } from './api-error.ts';

/** Where problems are explained, and what their ids are made of. */
export interface ProblemSite {
  baseUrl: string;
  random: Random;
}

/** A refusal as it goes out, whether through the router or straight to a socket. */
export interface WrittenProblem {
  status: number;
  headers: Record<string, string>;
  problem: Problem;
}

/**
 * The body and headers of a refusal: RFC 9457 with the members of the service reference, section
 * 7.2, and the headers of section 7.3. Only here are problems written.
 */
export function writeProblem(
  error: ApiError,
  site: ProblemSite,
  { presented = false }: { presented?: boolean } = {},
): WrittenProblem {
  const { code, extras } = error;
  const definition = problems[code];
  const rateLimited = code === 'RATE_LIMITED';
  const scope = extras.scope ?? 'platform';
  const problem: Problem = {
    type: `${site.baseUrl}/problems/${definition.name}`,
    title: definition.title,
    status: definition.status,
    detail: error.message,
    instance: extras.instance ?? newId(site.random, idPrefix.problem),
    code,
    retryable: definition.retryable,
    ...(rateLimited && { kind: 'rate_limit', scope }),
    ...(extras.errors && { errors: extras.errors }),
  };
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-service-problem-code': code,
    'x-service-problem-kind': definition.kind,
    'x-service-problem-origin': definition.origin,
    'x-service-problem-retryable': String(definition.retryable),
    'x-service-recovery-action': definition.recovery,
    ...(rateLimited && { 'x-service-problem-scope': scope }),
    ...(extras.retryAfter !== undefined && { 'retry-after': String(extras.retryAfter) }),
    ...(definition.status === 401 && { 'www-authenticate': challenge(presented) }),
    ...extras.headers,
  };
  return { status: definition.status, headers, problem };
}

/** Answers a request with a refusal. */
export function problemResponse(c: Context<AppEnv>, error: ApiError, site: ProblemSite): Response {
  const presented = c.req.header('authorization') !== undefined;
  const { status, headers, problem } = writeProblem(error, site, { presented });
  c.set('problem', problem);
  return c.body(JSON.stringify(problem), status as ContentfulStatusCode, headers);
}

/** RFC 6750, section 3: `invalid_token` only where a credential was presented and refused. */
function challenge(presented: boolean): string {
  return presented ? 'Bearer realm="inlay", error="invalid_token"' : 'Bearer realm="inlay"';
}
