import type { MiddlewareHandler } from 'hono';
import { isKnownOrigin, originDenied } from '../auth/check-origin.ts';
import type { Services } from '../deps.ts';
import type { AppEnv } from './env.ts';

/** What a page may read of an answer beyond the body. */
const exposed = [
  'X-Request-Id',
  'Date',
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

/** Headers that clients of the session calls send. Others that a preflight names pass as well. */
const headerList = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:, ?[A-Za-z0-9!#$%&'*+.^_`|~-]+)*$/;

/**
 * CORS of the agent service. There are no cookies, so CORS protects nothing here by itself: what
 * protects is the check of the origin on the real request. Preflights are answered for origins that
 * some policy names. A page of any other origin can read one answer, `EMBED_ORIGIN_NOT_ALLOWED`,
 * which is the same for every path and token; so it learns why it is refused, and nothing else.
 */
export function cors(services: Services): MiddlewareHandler<AppEnv> {
  return async function answerCors(c, next) {
    const origin = c.req.header('origin');
    c.header('vary', 'Origin');
    if (origin === undefined) return next();
    const known = isKnownOrigin(origin, services);
    if (known) {
      c.header('access-control-allow-origin', origin);
      c.header('access-control-expose-headers', exposed);
    }
    if (c.req.method !== 'OPTIONS' || !c.req.header('access-control-request-method')) {
      return next();
    }
    if (!known) throw originDenied();
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

/** What tells everyone the same may be read by any page: a widget asks it whether we can be reached. */
export const readableByAll: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('access-control-allow-origin', '*');
  c.header('access-control-expose-headers', exposed);
  await next();
};
