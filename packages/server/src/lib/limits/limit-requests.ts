import type { ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { policyOf } from '../agents/agent.ts';
import type { CallLimits } from '../config/embed-policy.ts';
import type { AppEnv } from '../http/env.ts';
import { sourceOf } from '../http/source.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { createInProcessLimiter } from './in-process-limiter.ts';
import type { Admission, Limiter } from './limiter.ts';

/**
 * Middleware for the rate limits of the platform (docs/conformance.md, 8.2): by API key, by
 * end user for embed tokens, and by source address for requests without a valid credential. Routes
 * that end access have separate limits, so that a backend that is busy with other calls can still
 * revoke access.
 *
 * A request is in progress until its response has been sent, because a client that reads slowly keeps
 * the response in memory.
 */
export function limitRequests(services: Services): MiddlewareHandler<AppEnv> {
  return async function limitRequest(c, next) {
    const { subject, limits } = subjectOf(c, services);
    await handleAdmitted(c, services, { limiter: services.limiter, subject, limits }, next);
  };
}

/**
 * Middleware for requests that need no credential, such as those for files, pages, preflights and the
 * health check: `limits.public`, by source address. They are counted in this process, because its
 * memory and connections are what they use.
 *
 * @param options.rate False if only the requests in progress are limited
 *   (docs/conformance.md, 8.2.7).
 */
export function limitPublicRequests(
  services: Services,
  { rate = true }: { rate?: boolean } = {},
): MiddlewareHandler<AppEnv> {
  const limiter = createInProcessLimiter(services.clock);
  const { limits, trusted_proxies } = services.config;
  return async function limitPublicRequest(c, next) {
    if (c.env?.incoming) await services.turns.wait();
    const subject = `public:${sourceOf(c, trusted_proxies)}`;
    await handleAdmitted(c, services, { limiter, subject, limits: limits.public, rate }, next);
  };
}

/** Milliseconds after which the slot of a closed connection is free, whatever its request does. */
const slotGraceMs = 60_000;

interface Rule {
  limiter: Limiter;
  subject: string;
  limits: CallLimits;
  /** @default true */
  rate?: boolean;
}

/** @throws ApiError `RATE_LIMITED` if the limit is reached. */
async function handleAdmitted(
  c: Context<AppEnv>,
  { clock, config }: Services,
  { limiter, subject, limits, rate = true }: Rule,
  next: Next,
): Promise<void> {
  const admission = await limiter.admit(subject, limits);
  setRateLimitHeaders(c, admission);
  const isRefused = admission.refused === 'concurrency' || (admission.refused === 'rate' && rate);
  if (isRefused) throw refusal(admission, limits);
  let isReleased = false;
  let cancelGrace = () => {};
  const release = () => {
    isReleased = true;
    cancelGrace();
    admission.release();
  };
  // A request whose caller has gone ends soon. If it does not, its slot must not be lost.
  c.env?.outgoing?.once('close', () => {
    if (!isReleased) cancelGrace = clock.after(slotGraceMs, release);
  });
  let isSlotKept = false;
  c.set('holdSlot', () => {
    isSlotKept = true;
    return release;
  });
  try {
    await next();
  } finally {
    const { download_idle_seconds: idleSeconds } = config.limits.request;
    if (!isSlotKept) releaseWhenSent(c.env?.outgoing, idleSeconds, release);
  }
}

/**
 * Calls `release` when the response has been sent or its connection has closed. Closes the connection
 * if the client receives nothing for `idleSeconds`.
 *
 * @param response The Node response; absent with `app.request()` in tests.
 */
function releaseWhenSent(
  response: ServerResponse | undefined,
  idleSeconds: number,
  release: () => void,
): void {
  if (!response || response.closed) {
    release();
    return;
  }
  response.once('close', release);
  response.setTimeout(idleSeconds * 1000);
}

function subjectOf(
  c: Context<AppEnv>,
  services: Services,
): { subject: string; limits: CallLimits } {
  const { config, agents } = services;
  const caller = c.get('caller');
  if (caller?.kind === 'backend') {
    return c.get('endsAccess')
      ? { subject: `stop:${caller.keyId}`, limits: config.limits.api_key_stops }
      : { subject: `key:${caller.keyId}`, limits: { ...config.limits.api_key, ...caller.limits } };
  }
  const agent = caller && agents.find(caller.agentId);
  if (agent) {
    return { subject: `user:${agent.id}:${caller.externalUserId}`, limits: policyOf(agent).limits };
  }
  return {
    subject: `source:${sourceOf(c, config.trusted_proxies)}`,
    limits: config.limits.source,
  };
}

function setRateLimitHeaders(c: Context<AppEnv>, { limit, remaining, resetMs }: Admission): void {
  const seconds = String(Math.ceil(resetMs / 1000));
  c.header('x-ratelimit-limit-requests', String(limit));
  c.header('x-ratelimit-remaining-requests', String(remaining));
  c.header(
    'x-ratelimit-reset-requests',
    resetMs < 1000 ? `${Math.ceil(resetMs)}ms` : `${seconds}s`,
  );
  c.header('ratelimit-limit', String(limit));
  c.header('ratelimit-remaining', String(remaining));
  c.header('ratelimit-reset', seconds);
}

function refusal({ refused, resetMs }: Admission, limits: CallLimits): ApiError {
  // The start of each text is part of the API: clients use it to distinguish the two limits.
  const detail =
    refused === 'rate'
      ? `Requests per second limit of ${limits.requests_per_second} reached. Retry after \`retry-after\` seconds.`
      : `Concurrent request limit of ${limits.concurrent} reached. Wait for one of your open requests to end.`;
  const retryAfter = refused === 'rate' ? Math.max(1, Math.ceil(resetMs / 1000)) : 1;
  return new ApiError('RATE_LIMITED', detail, { retryAfter, scope: 'platform' });
}
