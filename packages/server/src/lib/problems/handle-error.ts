import type { ErrorHandler } from 'hono';
import type { Services } from '../deps.ts';
import type { AppEnv } from '../http/env.ts';
import { describeError } from '../log/logger.ts';
import { ApiError } from './api-error.ts';
import { problemResponse } from './problem-response.ts';

/** The one place where whatever was thrown becomes a problem; the cause goes to the log alone. */
export function handleError(services: Services): ErrorHandler<AppEnv> {
  return function answerProblem(error, c) {
    if (error instanceof ApiError) return problemResponse(c, error, services);
    services.log.error('request failed', { request: c.get('requestId'), ...describeError(error) });
    return problemResponse(
      c,
      new ApiError('INTERNAL_ERROR', 'The platform failed. Retry later, and quote `X-Request-Id`.'),
      services,
    );
  };
}
