import type { Handler } from 'hono';
import { ApiError } from '../problems/api-error.ts';
import type { AppEnv } from './env.ts';

/**
 * Handler for the methods that a path does not support: `OPTIONS` returns the supported ones, the
 * others get `METHOD_NOT_ALLOWED`.
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
