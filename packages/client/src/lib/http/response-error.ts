import { InlayError } from '../errors.ts';
import { readProblem } from '../wire/answers.ts';

/** Turns an answer that is not 2xx into an error: by its problem body, or by its status alone. */
export async function responseError(response: Response): Promise<InlayError> {
  const { status, headers } = response;
  const details = {
    status,
    retryAfter: readRetryAfter(headers.get('retry-after')),
    requestId: headers.get('x-request-id'),
  };
  const problem = readProblem(await response.json().catch(() => null));
  if (problem) {
    const retryable = problem.retryable || isPassing(status, problem.code);
    return new InlayError(problem.code, problem.detail, { ...details, problem, retryable });
  }
  return new InlayError(
    'UNEXPECTED_RESPONSE',
    `The platform's address answered with status ${status} and no problem body.`,
    { ...details, retryable: isPassing(status, '') },
  );
}

/** Service reference, section 7.5; and the quota of a day, which no retry of today can pass. */
function isPassing(status: number, code: string): boolean {
  if (code === 'EMBED_QUOTA_EXCEEDED') return false;
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** Milliseconds. Only seconds are read: a date would be compared with the wrong clock. */
function readRetryAfter(value: string | null): number | null {
  return value !== null && /^\d{1,7}$/.test(value) ? Number(value) * 1000 : null;
}
