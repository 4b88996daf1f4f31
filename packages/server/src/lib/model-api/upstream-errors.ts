import type { ProblemCode } from '@inlay/protocol';
import { fieldsOf, parseJson, stringOf } from '../json.ts';
import { ApiError } from '../problems/api-error.ts';
import type { AttemptError } from './router-report.ts';

/** Maximum characters of a provider's message that a problem quotes. */
const quoteLength = 300;

/** The parts of a provider's error that decide the response to the caller. */
export interface UpstreamError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  /** Result of `readRetryAfter`. */
  readonly retryAfter: number | undefined;
}

/**
 * Reads an error response in the format of OpenAI's API. In other formats, the message is empty.
 *
 * @param secret Credential that was sent to the provider. It is redacted from the message.
 */
export function readError(
  status: number,
  headers: Headers,
  text: string,
  secret: string,
): UpstreamError {
  const { error } = fieldsOf(parseJson(text));
  const { code, type, message, param } = fieldsOf(error);
  return {
    status,
    code: stringOf(code) || stringOf(type),
    // Providers often quote the key that they reject.
    message: redact(stringOf(message), secret).replaceAll(/\s+/g, ' ').slice(0, quoteLength),
    param: stringOf(param) || null,
    retryAfter: readRetryAfter(headers),
  };
}

/**
 * Reads the seconds of `Retry-After`. Returns undefined if the header is missing, a date, or more than
 * a day.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const isUsable = Number.isFinite(seconds) && seconds >= 0 && seconds <= 86_400;
  return isUsable ? Math.max(1, Math.ceil(seconds)) : undefined;
}

/** Replaces a credential in a text by `…`. */
export function redact(text: string, secret: string): string {
  return secret === '' ? text : text.replaceAll(secret, '…');
}

/** Statuses that mean that every provider would reject the request, with their problem codes. */
const rejections: Readonly<Record<number, ProblemCode>> = {
  400: 'VALIDATION_ERROR',
  413: 'PAYLOAD_TOO_LARGE',
  422: 'UNPROCESSABLE_CONTENT',
};

/**
 * Whether a status means that every provider would reject the request. Any other error is a failure
 * of this provider only.
 */
export function isRejection(status: number): boolean {
  return status in rejections;
}

/**
 * Returns the problem of a request that no other provider should get; null if the next provider
 * may succeed.
 *
 * @param isByok Whether the request was sent with the caller's upstream key, which other providers
 *   would not accept either.
 */
export function rejectionOf(error: UpstreamError, isByok: boolean): ApiError | null {
  const { status, message, param, retryAfter } = error;
  const detail =
    message === '' ? undefined : `The model's provider rejected the request: ${message}`;
  const extras = { ...(param !== null && { param }) };
  const rejection = rejections[status];
  if (rejection) return new ApiError(rejection, detail, extras);
  if (!isByok) return null;
  if (isOutOfBalance(error)) return new ApiError('INSUFFICIENT_BALANCE', detail);
  if (status === 401 || status === 403) {
    return new ApiError(
      'VALIDATION_ERROR',
      'The provider does not accept the key in `X-Upstream-Api-Key`.',
      { errors: [{ pointer: '/headers/x-upstream-api-key', message: 'is not accepted' }] },
    );
  }
  return status === 429 ? throttled(retryAfter) : null;
}

/** Whether the account at the provider has no money, so that retrying does not help. */
export function isOutOfBalance({ status, code }: UpstreamError): boolean {
  return status === 402 || (status === 429 && code === 'insufficient_quota');
}

/** The problem for a rate limit of the providers (docs/conformance.md, 8.3.4). */
export function throttled(retryAfter: number | undefined): ApiError {
  return new ApiError(
    'RATE_LIMITED',
    'The providers of the model limit the rate of requests. Retry later, or choose another model.',
    {
      scope: 'model',
      origin: 'upstream_provider',
      ...(retryAfter !== undefined && { retryAfter }),
    },
  );
}

/**
 * Returns the problem of a request for which all providers failed.
 *
 * @param errors Why each of them failed.
 * @param retryAfter Shortest `Retry-After` of the providers that were throttled, in seconds.
 */
export function allFailed(
  errors: readonly (AttemptError | null)[],
  retryAfter: number | undefined,
): ApiError {
  if (errors.includes('throttled')) return throttled(retryAfter);
  if (errors.every((error) => error === 'timeout')) return new ApiError('UPSTREAM_TIMEOUT');
  if (errors.every((error) => error === 'invalid_response')) return new ApiError('UPSTREAM_ERROR');
  return new ApiError('provider_unavailable');
}

/** Returns why a provider failed that responded with an error. */
export function attemptErrorOf(error: UpstreamError): AttemptError {
  if (isOutOfBalance(error)) return 'out_of_balance';
  return error.status === 429 ? 'throttled' : 'refused';
}
