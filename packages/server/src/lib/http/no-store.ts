import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './env.ts';

/**
 * Middleware that forbids caches to keep the responses of the API, which contain tokens and the data of
 * one caller (RFC 6749, section 5.1). A route can set another `cache-control`.
 */
export const noStore: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('cache-control', 'private, no-store');
  await next();
};
