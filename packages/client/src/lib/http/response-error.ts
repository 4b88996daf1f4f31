import { InlayError } from '../errors.ts';
import { readProblem } from '../wire/answers.ts';

/** Turns an answer that is not 2xx into an error: by its problem body, or by its status alone. */
export async function responseError(response: Response): Promise<InlayError> {
  const { status, headers } = response;
  const problem = readProblem(await response.json().catch(() => null));
  const { code, detail, retryable } = problem ?? {
    code: 'UNEXPECTED_RESPONSE',
    detail: `The platform answered ${status} without a problem body.`,
    retryable: false,
  };
  return new InlayError(code, detail, {
    status,
    problem,
    retryable: retryable || isPassing(status, code),
    retryAfter: readRetryAfter(headers.get('retry-after')),
    requestId: headers.get('x-request-id'),
  });
}

/** Service reference, section 7.5; and the quota of a day, which no retry of today can pass. */
function isPassing(status: number, code: string): boolean {
  if (code === 'EMBED_QUOTA_EXCEEDED') return false;
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** The longest wait that is taken at its word, in milliseconds: a day. */
const longestWait = 86_400_000;

/** Milliseconds. Only seconds are read: a date would be compared with the wrong clock. */
function readRetryAfter(value: string | null): number | null {
  return value !== null && /^\d{1,7}$/.test(value)
    ? Math.min(Number(value) * 1000, longestWait)
    : null;
}
