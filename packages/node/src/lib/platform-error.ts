import { Problem } from '@inlay/protocol';
import * as z from 'zod/mini';

/**
 * A failed call to the platform. It never contains a key or token. `code` is
 *
 * - the code of the platform's problem body, if there is one;
 * - `NETWORK_ERROR`, `TIMEOUT` or `UNEXPECTED_RESPONSE` without a problem body;
 * - `INVALID_OPTION` or `QUEUE_FULL` if no request was sent.
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Seconds to wait before a retry; null if the platform sent no `Retry-After`. */
  readonly retryAfterSeconds: number | null;
  /** The platform's `X-Request-Id`, for bug reports. */
  readonly requestId: string | null;
  /** The problem body (RFC 9457); null without one. */
  readonly problem: Problem | null;

  constructor(
    code: string,
    message: string,
    details: {
      status?: number;
      retryable?: boolean;
      retryAfterSeconds?: number | null;
      requestId?: string | null;
      problem?: Problem;
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status ?? null;
    this.retryable = details.retryable ?? false;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.requestId = details.requestId ?? null;
    this.problem = details.problem ?? null;
  }
}

/** Creates the error for a response with a status other than 2xx. */
export async function errorOf(response: Response): Promise<PlatformError> {
  const details = {
    status: response.status,
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id'),
  };
  const body = await response.json().catch(() => null);
  const result = z.safeParse(Problem, body);
  if (!result.success) {
    return new PlatformError(
      'UNEXPECTED_RESPONSE',
      `The platform responded with ${response.status} and no problem body. Check that baseUrl is the platform's URL.`,
      { ...details, retryable: isTemporary(response.status) },
    );
  }
  return errorOfProblem(result.data, details);
}

/** Creates the error for a problem, of a response or inside a stream. */
export function errorOfProblem(
  problem: Problem,
  details: { retryAfterSeconds?: number | null; requestId?: string | null } = {},
): PlatformError {
  const { status } = problem;
  return new PlatformError(problem.code, problem.detail, {
    ...details,
    status,
    // 502 and 503 can be retried, and 501 cannot, whatever the body says
    // (docs/conformance.md, 7.1 and 7.5).
    retryable: status !== 501 && (problem.retryable || status === 502 || status === 503),
    problem,
  });
}

/**
 * Whether a request may be retried after a response without a problem body, by its status: 429 and
 * the server errors except 501 (docs/conformance.md, 7.1 and 7.5).
 */
function isTemporary(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

/** Parses a `Retry-After` header: seconds or a date (RFC 9110, section 10.2.3). */
function secondsOf(header: string | null): number | null {
  if (!header) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
