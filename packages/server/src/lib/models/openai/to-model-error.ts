import OpenAI from 'openai';
import { ModelError } from '../model.ts';

/**
 * Sorts a failure of the library. Refused as such (a wrong key, an unknown model, a request that is
 * too long) is final; throttled, failing and unreachable endpoints may answer the next time.
 */
export function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ModelError(message, { retryable: isRetryable(error), cause: error });
}

function isRetryable(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError)) return true;
  // No status: the connection failed, or the error came inside the stream.
  if (error.status === undefined) return !isFinalCode(error.code ?? error.type);
  if (error.code === 'insufficient_quota') return false;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

function isFinalCode(code: string | null | undefined): boolean {
  return code === 'invalid_request_error' || code === 'context_length_exceeded';
}
