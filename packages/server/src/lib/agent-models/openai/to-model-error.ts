import OpenAI from 'openai';
import { ModelError } from '../model.ts';

/** Maximum characters of a provider's message that an error quotes. */
const quoteLength = 300;

/**
 * Converts an error of the `openai` library. Rejected requests (invalid key, unknown model, too long) are
 * final; throttling, server errors and network errors are retryable.
 *
 * @param apiKey Redacted: providers often quote the key that they reject.
 */
export function toModelError(error: unknown, apiKey = ''): ModelError {
  if (error instanceof ModelError) return error;
  const message = describe(error);
  return new ModelError(apiKey === '' ? message : message.replaceAll(apiKey, '…'), {
    retryable: isRetryable(error),
    ...(isFiltered(error) && { kind: 'filtered' }),
  });
}

/** Whether a filter of the provider refused the prompt, as Azure's does. */
function isFiltered(error: unknown): boolean {
  return error instanceof OpenAI.APIError && error.code === 'content_filter';
}

/** Describes any error in one line of limited length. */
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
  // Truncated first, so that the regular expression does not process megabytes.
  const line = text
    .slice(0, 4 * quoteLength)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= quoteLength ? line : `${line.slice(0, quoteLength)}…`;
}

function isRetryable(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError)) return true;
  if (isFiltered(error)) return false;
  // Without a status, the connection failed or the error was sent inside the stream.
  if (error.status === undefined) return !isFinalCode(error.code ?? error.type);
  if (error.code === 'insufficient_quota') return false;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

function isFinalCode(code: string | null | undefined): boolean {
  return code === 'invalid_request_error' || code === 'context_length_exceeded';
}
