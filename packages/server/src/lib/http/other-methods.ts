import type { Handler } from 'hono';
import { ApiError } from '../problems/api-error.ts';
import type { AppEnv } from './env.ts';

/** Answers, where a path exists, whatever method it does not: `OPTIONS` with what it does. */
export function otherMethods(methods: readonly string[]): Handler<AppEnv> {
  const all = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
  const allow = [...all].join(', ');
  return function answerOtherMethod(c) {
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { allow });
    throw new ApiError('METHOD_NOT_ALLOWED', `This path answers ${allow} and nothing else.`, {
      headers: { allow },
    });
  };
}
