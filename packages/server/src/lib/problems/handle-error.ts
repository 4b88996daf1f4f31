import type { ErrorHandler } from 'hono';
import type { AppEnv } from '../http/env.ts';
import { describeError } from '../log/logger.ts';
import type { Services } from '../services.ts';
import { ApiError } from './api-error.ts';
import { problemResponse } from './problem-response.ts';
import { isStoreUnavailable } from './store-unavailable.ts';

/** The one place where whatever was thrown becomes a problem; the cause goes to the log alone. */
export function handleError(services: Services): ErrorHandler<AppEnv> {
  return function answerProblem(error, c) {
    if (error instanceof ApiError) return problemResponse(c, error, services);
    services.log.error('request failed', { request: c.get('requestId'), ...describeError(error) });
    return problemResponse(c, hideCause(error), services);
  };
}

/** What a caller may know of a failure of ours. */
export function hideCause(error: unknown): ApiError {
  if (isStoreUnavailable(error)) {
    const detail = 'The store does not answer just now. Retry as `retry-after` says.';
    return new ApiError('SERVICE_UNAVAILABLE', detail, { retryAfter: 2 });
  }
  const detail = 'The platform failed. Retry later, and quote `X-Request-Id`.';
  return new ApiError('INTERNAL_ERROR', detail);
}
