import OpenAI from 'openai';
import { ModelError } from '../model.ts';

/** Characters of a provider's words that a message keeps. */
const quoteLength = 300;

/**
 * Sorts a failure of the library. Refused as such (a wrong key, an unknown model, a request that is
 * too long) is final; throttled, failing and unreachable endpoints may answer the next time.
 * `apiKey` is blotted out: providers like to quote the key that they refuse.
 */
export function toModelError(error: unknown, apiKey = ''): ModelError {
  if (error instanceof ModelError) return error;
  const message = describe(error);
  return new ModelError(apiKey === '' ? message : message.replaceAll(apiKey, '…'), {
    retryable: isRetryable(error),
  });
}

/** One line, however long and of whatever kind the provider's answer was. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return quote(String(error));
  if (
    error instanceof OpenAI.APIError &&
    error.status !== undefined &&
    /<html|<!doctype/i.test(error.message)
  ) {
    return `the provider answered ${error.status} with an HTML page`;
  }
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return quote(`${error.message}${cause}`);
}

function quote(text: string): string {
  // Cut first: the expression must not work through megabytes.
  const line = text
    .slice(0, 4 * quoteLength)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= quoteLength ? line : `${line.slice(0, quoteLength)}…`;
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
