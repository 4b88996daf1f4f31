import type { MiddlewareHandler } from 'hono';
import { isKnownOrigin, originDenied } from '../auth/check-origin.ts';
import type { Services } from '../services.ts';
import type { AppEnv } from './env.ts';

/** Response headers that pages may read. */
const exposedHeaders = [
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

/** A list of header names in a preflight request. */
const headerList = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:, ?[A-Za-z0-9!#$%&'*+.^_`|~-]+)*$/;

/**
 * CORS for the agent service. Because there are no cookies, CORS itself protects nothing here; the
 * check of the origin on the actual request does (`refuseUnknownOrigins`, and the origins of the
 * token). Preflights are therefore accepted from every origin: if one failed, the page would see a
 * plain network error, as if it were offline, instead of the reason.
 */
export function cors(services: Services): MiddlewareHandler<AppEnv> {
  return async function handleCors(c, next) {
    const origin = c.req.header('origin');
    c.header('vary', 'Origin');
    if (origin === undefined) return next();
    // Pages do not use API keys, so only known origins may read the responses to requests with one.
    if (isKnownOrigin(origin, services) || !mayBeApiKey(c.req.header('authorization'))) {
      c.header('access-control-allow-origin', origin);
      c.header('access-control-expose-headers', exposedHeaders);
    }
    if (c.req.method !== 'OPTIONS' || !c.req.header('access-control-request-method')) {
      return next();
    }
    const requestedHeaders = c.req.header('access-control-request-headers') ?? '';
    c.header('vary', 'Origin, Access-Control-Request-Headers');
    c.header('access-control-allow-methods', 'GET, POST, DELETE');
    if (requestedHeaders.length <= 1024 && headerList.test(requestedHeaders)) {
      c.header('access-control-allow-headers', requestedHeaders);
    }
    // Browsers limit this to their own maximum of 2 to 24 hours.
    c.header('access-control-max-age', '86400');
    return c.body(null, 204);
  };
}

/**
 * Middleware that refuses unknown origins with the same response for every path and token, before a
 * route sees the request. Such pages learn why they are refused, and nothing else.
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

/**
 * Middleware for public routes, which every origin may read: the widget uses one to check whether
 * the platform is reachable.
 */
export const readableByAll: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('access-control-allow-origin', '*');
  c.header('access-control-expose-headers', exposedHeaders);
  // Lets a page read the HTTP version of the connection: HTTP/1.1 limits the connections of all
  // tabs.
  c.header('timing-allow-origin', '*');
  await next();
};
