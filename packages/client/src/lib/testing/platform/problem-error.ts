import { type FieldError, type ProblemCode, problems } from '@inlay/protocol';

/** Optional fields of a problem response. */
export interface ProblemDetails {
  /**
   * A sentence for developers.
   *
   * @default the title of the code
   */
  readonly detail?: string;
  /** Seconds to wait, sent as `retry-after`. */
  readonly retryAfter?: number;
  /** The invalid fields. */
  readonly errors?: readonly FieldError[];
}

/** Rejects a request with a problem code. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(details.detail ?? problems[code].title);
    this.code = code;
    this.details = details;
  }

  /** Returns the problem response (RFC 9457). */
  toResponse(baseUrl: string, instance: string): Response {
    const { status, name, title, retryable } = problems[this.code];
    const { retryAfter, errors } = this.details;
    const rateLimited = this.code === 'RATE_LIMITED';
    const body = {
      type: `${baseUrl}/problems/${name}`,
      title,
      status,
      detail: this.message,
      instance,
      code: this.code,
      retryable,
      ...(rateLimited && { kind: 'rate_limit', scope: 'platform' }),
      ...(errors && { errors }),
    };
    return new Response(JSON.stringify(body), {
      status,
      headers: {
        'content-type': 'application/problem+json',
        ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
        ...(status === 401 && {
          'www-authenticate': 'Bearer realm="inlay", error="invalid_token"',
        }),
      },
    });
  }
}

/** Creates a 400 for one field. `pointer` is a JSON Pointer into the body, or `/query/…`. */
export function invalidField(pointer: string, message: string): ProblemError {
  return invalidFields([{ pointer, message }]);
}

export function invalidFields(errors: readonly FieldError[]): ProblemError {
  const [first] = errors;
  const field = first?.pointer.slice(1).replaceAll('/', '.') || 'The body';
  const detail = `\`${field}\` ${first?.message ?? 'is not valid'}.`;
  return new ProblemError('VALIDATION_ERROR', { detail, errors });
}
