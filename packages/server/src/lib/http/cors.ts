import type { MiddlewareHandler } from 'hono';
import { isKnownOrigin, originDenied } from '../auth/check-origin.ts';
import type { Services } from '../services.ts';
import type { AppEnv } from './env.ts';

/** What a page may read of an answer beyond the body. */
const exposed = [
  'X-Request-Id',
  'Content-Disposition',
  'Date',
  'Deprecation',
  'Sunset',
  'Link',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-service-problem-code',
  'x-service-problem-kind',
  'x-service-problem-origin',
  'x-service-problem-retryable',
  'x-service-problem-scope',
  'x-service-recovery-action',
].join(', ');

/** A list of header names, as a preflight asks for them. */
const headerList = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:, ?[A-Za-z0-9!#$%&'*+.^_`|~-]+)*$/;

/**
 * CORS of the agent service. There are no cookies, so CORS protects nothing here by itself: what
 * protects is the check of the origin on the real request (`refuseUnknownOrigins`, and the token's
 * own origins). Preflights are therefore answered for every origin: refused there, a page would see
 * a bare network error, which looks like being offline, and nobody would learn what to put right.
 */
export function cors(services: Services): MiddlewareHandler<AppEnv> {
  return async function answerCors(c, next) {
    const origin = c.req.header('origin');
    c.header('vary', 'Origin');
    if (origin === undefined) return next();
    // API keys have no business in a page, so only a page of ours may read what one opens.
    if (isKnownOrigin(origin, services) || !mayBeApiKey(c.req.header('authorization'))) {
      c.header('access-control-allow-origin', origin);
      c.header('access-control-expose-headers', exposed);
    }
    if (c.req.method !== 'OPTIONS' || !c.req.header('access-control-request-method')) {
      return next();
    }
    const asked = c.req.header('access-control-request-headers') ?? '';
    c.header('vary', 'Origin, Access-Control-Request-Headers');
    c.header('access-control-allow-methods', 'GET, POST, DELETE');
    if (asked.length <= 1024 && headerList.test(asked)) {
      c.header('access-control-allow-headers', asked);
    }
    // Browsers cut this to their own maximum, 2 to 24 hours.
    c.header('access-control-max-age', '86400');
    return c.body(null, 204);
  };
}

/**
 * Gives pages that no policy speaks of one answer, the same for every path and every token: they
 * learn why they are refused, and nothing else. It comes before any route looks at the request.
 */
export function refuseUnknownOrigins(services: Services): MiddlewareHandler<AppEnv> {
  return async function refuseUnknownOrigin(c, next) {
    const origin = c.req.header('origin');
    const isPage = origin !== undefined && !mayBeApiKey(c.req.header('authorization'));
    if (isPage && !isKnownOrigin(origin, services)) throw originDenied();
    await next();
  };
}

function mayBeApiKey(authorization: string | undefined): boolean {
  return authorization !== undefined && !/^bearer +et_/i.test(authorization);
}

/** What tells everyone the same may be read by any page: a widget asks it whether we can be reached. */
export const readableByAll: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('access-control-allow-origin', '*');
  c.header('access-control-expose-headers', exposed);
  // Lets a page see which HTTP its browser speaks with us, and with it whether tabs are scarce.
  c.header('timing-allow-origin', '*');
  await next();
};
