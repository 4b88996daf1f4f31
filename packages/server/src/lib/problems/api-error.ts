import { type FieldError, type ProblemCode, type ProblemOrigin, problems } from '@inlay/protocol';

/** Optional members of a problem. */
export interface ApiErrorExtras {
  /** All invalid fields. */
  errors?: FieldError[];
  /** Whole seconds, sent as `retry-after`. */
  retryAfter?: number;
  /** For rate limits: the layer that rejected the request (docs/conformance.md, 7.2). */
  scope?: 'platform' | 'model';
  /** Replaces the last segment of `type`, for a problem with a separate page. */
  name?: string;
  /** Replaces the default origin of the code. */
  origin?: ProblemOrigin;
  /** Replaces the error code in the body of a response under a compatible prefix. */
  familyCode?: string;
  /** The body parameter that the problem is about. */
  param?: string;
  /** Machine-readable details, such as the limit and the current count of a rate limit. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error that is sent to the caller. `handle-error.ts` converts it to a problem. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemCode;
  readonly extras: ApiErrorExtras;

  /** @param detail What is wrong and how to fix it, in a sentence. Never contains a secret. */
  constructor(
    code: ProblemCode,
    detail: string = problems[code].title,
    extras: ApiErrorExtras = {},
  ) {
    super(detail, { cause: extras.cause });
    this.code = code;
    this.extras = extras;
  }
}

/**
 * Creates a `VALIDATION_ERROR` for one field.
 *
 * @param pointer JSON Pointer into the body, or `/query/…`, `/path/…`.
 */
export function invalidField(pointer: string, message: string): ApiError {
  const field = pointer.replace(/^\//, '').replaceAll('/', '.');
  return new ApiError('VALIDATION_ERROR', `\`${field}\` ${message}.`, {
    errors: [{ pointer, message }],
  });
}

/** Creates a `NOT_FOUND`. Missing and inaccessible objects cause the same error. */
export function notFound(detail = 'There is nothing at this address that you may see.'): ApiError {
  return new ApiError('NOT_FOUND', detail);
}
