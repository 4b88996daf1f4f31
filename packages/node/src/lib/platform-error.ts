import { Problem } from '@inlay/protocol';
import * as z from 'zod/mini';

/**
 * A call to the platform that did not succeed. `code` is the platform's; `NETWORK_ERROR`, `TIMEOUT`
 * or `UNEXPECTED_RESPONSE` where no problem body came; `INVALID_OPTION` or `QUEUE_FULL` where none was
 * asked for. It never holds a key or token.
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: string;
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  /** Whether the same call, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** Seconds to wait before trying again; null where the platform names none. */
  readonly retryAfterSeconds: number | null;
  /** The platform's `X-Request-Id`: quote it in a report. */
  readonly requestId: string | null;
  /** The problem body; null where there is none. */
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

/** Reads the error of an answer that is not a success. */
export async function errorOf(response: Response): Promise<PlatformError> {
  const details = {
    status: response.status,
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id'),
  };
  const body = await response.json().catch(() => null);
  const read = z.safeParse(Problem, body);
  if (!read.success) {
    return new PlatformError(
      'UNEXPECTED_RESPONSE',
      `The platform answered ${response.status} without a problem body. Is baseUrl the platform's address?`,
      { ...details, retryable: response.status >= 500 },
    );
  }
  const problem = read.data;
  return new PlatformError(problem.code, problem.detail, {
    ...details,
    retryable: problem.retryable,
    problem,
  });
}

/** Seconds of a `Retry-After` header, which holds seconds or a date (RFC 9110, section 10.2.3). */
function secondsOf(header: string | null): number | null {
  if (!header) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
