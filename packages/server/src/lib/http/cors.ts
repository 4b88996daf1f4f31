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
 * CORS for the agent service. CORS itself protects nothing here, because there are no cookies. What
 * protects is the check of the origin of the actual request, by `refuseUnknownOrigins` and against
 * the origins of the token. Preflights are therefore accepted from every origin: after a failed
 * preflight, the page would get a network error, as if it were offline, instead of the reason.
 */
export const cors: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header('origin');
  c.header('vary', 'Origin');
  if (origin === undefined) return next();
  // API keys do not belong in browsers (docs/conformance.md, 5.5), so no page may read the
  // responses to requests with one.
  if (!mayBeApiKey(c.req.header('authorization'))) {
    c.header('access-control-allow-origin', origin);
    c.header('access-control-expose-headers', exposedHeaders);
  }
  if (!isPreflight(c.req.raw)) return next();
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

/** Whether a request is a preflight, which has no credential (Fetch standard, section 4.8). */
export function isPreflight({ method, headers }: Request): boolean {
  return (
    method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method')
  );
}

/**
 * Middleware that refuses requests from unknown origins before they reach a route. The response is the
 * same for every path and token: it contains the reason, and reveals nothing else.
 *
 * @param except Path of the route that refuses unknown origins itself.
 */
export function refuseUnknownOrigins(
  services: Services,
  except: string,
): MiddlewareHandler<AppEnv> {
  return async function refuseUnknownOrigin(c, next) {
    const origin = c.req.header('origin');
    const isPage =
      origin !== undefined && c.req.path !== except && !mayBeApiKey(c.req.header('authorization'));
    if (isPage && !isKnownOrigin(origin, services)) throw originDenied();
    await next();
  };
}

function mayBeApiKey(authorization: string | undefined): boolean {
  return authorization !== undefined && !/^bearer +et_/i.test(authorization);
}

/**
 * Middleware that lets pages of every origin read the responses. The widget requests such a route to
 * check whether the platform is reachable.
 */
export const allowEveryOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('access-control-allow-origin', '*');
  c.header('access-control-expose-headers', exposedHeaders);
  // Lets a page read the HTTP version of the connection in its resource timing. With HTTP/1.1, all
  // tabs together may open only six connections to a host.
  c.header('timing-allow-origin', '*');
  await next();
};
