import { type FieldError, type ProblemCode, problems } from '@inlay/protocol';

/** What a problem may carry beyond its code and detail. */
export interface ApiErrorExtras {
  /** Every field that broke a rule. */
  errors?: FieldError[];
  /** Whole seconds, sent as `retry-after`. */
  retryAfter?: number;
  /** Rate limits only: which layer refused (service reference, section 7.2). */
  scope?: 'platform' | 'model';
  /** Replaces the id of the occurrence, where two answers must not differ by a byte. */
  instance?: string;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A refusal. Whoever finds it throws it; `handle-error.ts` alone turns it into a problem body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemCode;
  readonly extras: ApiErrorExtras;

  /** @param detail A sentence for a person: what is wrong and what to do. Never a secret. */
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

/** A 400 about one field; `pointer` is a JSON Pointer into the body, or `/query/…`, `/path/…`. */
export function invalidField(pointer: string, message: string): ApiError {
  const field = pointer.replace(/^\//, '').replaceAll('/', '.');
  return new ApiError('VALIDATION_ERROR', `\`${field}\` ${message}.`, {
    errors: [{ pointer, message }],
  });
}

/** Where there is nothing, or nothing that this caller may see: the two must not differ. */
export function notFound(detail = 'There is nothing at this address that you may see.'): ApiError {
  return new ApiError('NOT_FOUND', detail);
}
