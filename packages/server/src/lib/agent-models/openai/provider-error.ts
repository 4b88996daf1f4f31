import { fieldsOf, parseJson, stringOf } from '../../json.ts';
import { redact } from '../../model-api/upstream-errors.ts';
import { UpstreamFailure } from '../../upstreams/forward.ts';
import { ModelError, type ModelErrorReason } from '../model.ts';

/** Maximum characters of a provider's message that an error quotes. */
const quoteLength = 300;

/** An error that the provider reports. The message may be long, and may quote the API key. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** Null for an error inside a stream. */
  readonly status: number | null;
  /** The code, or else the type; empty if the error has neither. */
  readonly code: string;
  readonly param: string;

  constructor(message: string, status: number | null, fields: Readonly<Record<string, unknown>>) {
    super(message);
    this.status = status;
    this.code = stringOf(fields.code) || stringOf(fields.type);
    this.param = stringOf(fields.param);
  }

  /** Reads an error response. Without the usual `error`, the whole body is the message. */
  static ofResponse(status: number, body: string): ProviderError {
    const fields = fieldsOf(fieldsOf(parseJson(body)).error);
    const message = stringOf(fields.message) || body || 'without a message';
    return new ProviderError(`${status} ${message}`, status, fields);
  }

  /** Reads the member `error` of a chunk. */
  static ofChunk(error: unknown): ProviderError {
    const fields = fieldsOf(error);
    return new ProviderError(stringOf(fields.message) || JSON.stringify(error), null, fields);
  }
}

/**
 * Converts any error of a request. Rejected requests (invalid key, unknown model, too long) are final;
 * throttling, server errors and network errors are retryable.
 *
 * @param apiKey Redacted: providers often quote the key that they reject.
 */
export function toModelError(error: unknown, apiKey: string): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof UpstreamFailure && error.kind === 'too_large') {
    return new ModelError('the response did not end', { retryable: false, kind: 'too_long' });
  }
  return new ModelError(describe(error, apiKey), {
    retryable: !(error instanceof ProviderError) || isRetryable(error),
    reason: reasonOf(error),
    // A filter of the provider refused the prompt, as Azure's does.
    ...(error instanceof ProviderError && error.code === 'content_filter' && { kind: 'filtered' }),
  });
}

function reasonOf(error: unknown): ModelErrorReason {
  if (error instanceof UpstreamFailure) {
    return { kind: error.kind === 'timeout' || error.kind === 'network' ? error.kind : 'other' };
  }
  return error instanceof ProviderError && error.status !== null
    ? { kind: 'http_error', status: error.status }
    : { kind: 'other' };
}

/** Describes any error in one line of limited length. */
function describe(error: unknown, apiKey: string): string {
  const message = redact(error instanceof Error ? error.message : String(error), apiKey);
  if (error instanceof ProviderError && /<html|<!doctype/i.test(message)) {
    return `the provider answered ${error.status} with an HTML page`;
  }
  // Truncated first, so that the regular expression does not process megabytes.
  const line = message
    .slice(0, 4 * quoteLength)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= quoteLength ? line : `${line.slice(0, quoteLength)}…`;
}

const finalCodes = ['content_filter', 'insufficient_quota'];
/** Inside a stream, an error has no status that tells whether the request was rejected. */
const finalCodesInStream = [...finalCodes, 'invalid_request_error', 'context_length_exceeded'];

function isRetryable({ status, code }: ProviderError): boolean {
  if (status === null) return !finalCodesInStream.includes(code);
  if (finalCodes.includes(code)) return false;
  return status === 408 || status === 429 || status >= 500;
}
