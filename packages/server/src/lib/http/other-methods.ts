import type { Handler } from 'hono';
import { ApiError } from '../problems/api-error.ts';
import type { AppEnv } from './env.ts';

/**
 * Creates the handler for all methods of a path that have no route: `OPTIONS` returns the supported
 * methods, other methods get `METHOD_NOT_ALLOWED`.
 *
 * @param methods The methods that have a route.
 */
export function otherMethods(methods: readonly string[]): Handler<AppEnv> {
  const all = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
  const allow = [...all].join(', ');
  return function respondToOtherMethod(c) {
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { allow });
    throw new ApiError('METHOD_NOT_ALLOWED', `This path supports only ${allow}.`, {
      headers: { allow },
    });
  };
}
