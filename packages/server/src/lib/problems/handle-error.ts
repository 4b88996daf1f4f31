import type { ErrorHandler } from 'hono';
import type { AppEnv } from '../http/env.ts';
import { describeError } from '../log/logger.ts';
import type { Services } from '../services.ts';
import { BlobsUnavailableError } from '../store/blobs.ts';
import { ApiError } from './api-error.ts';
import { problemResponse } from './problem-response.ts';
import { isStoreUnavailable } from './store-unavailable.ts';

/**
 * Converts any thrown value to a problem. The cause of an unexpected error is only logged.
 */
export function handleError(services: Services): ErrorHandler<AppEnv> {
  return function respondWithProblem(error, c) {
    if (error instanceof ApiError) return problemResponse(c, error, services);
    services.log.error('request failed', { request: c.get('requestId'), ...describeError(error) });
    return problemResponse(c, hideCause(error), services);
  };
}

/** Returns the error that the caller gets instead of an unexpected error. */
export function hideCause(error: unknown): ApiError {
  if (isStoreUnavailable(error)) {
    const detail = 'The store does not respond. Retry after `retry-after` seconds.';
    return new ApiError('SERVICE_UNAVAILABLE', detail, { retryAfter: 2 });
  }
  if (error instanceof BlobsUnavailableError) {
    const detail =
      'Files cannot be stored or read at the moment, because their storage does not respond. Retry after `retry-after` seconds.';
    return new ApiError('SERVICE_UNAVAILABLE', detail, { retryAfter: 10 });
  }
  const detail = 'The platform failed. Retry later, and quote `X-Request-Id`.';
  return new ApiError('INTERNAL_ERROR', detail);
}
