import { InlayError } from '../errors.ts';
import { readProblem } from '../wire/answers.ts';
import { readRetryAfter, type ServerClock } from './retry-after.ts';

/** Turns an answer that is not 2xx into an error: by its problem body, or by its status alone. */
export async function responseError(
  response: Response,
  serverNow?: ServerClock,
): Promise<InlayError> {
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
    retryAfter: await readRetryAfter(headers, serverNow),
    requestId: headers.get('x-request-id'),
  });
}

/** Service reference, section 7.5; and the quota of a day, which no retry of today can pass. */
function isPassing(status: number, code: string): boolean {
  if (code === 'EMBED_QUOTA_EXCEEDED') return false;
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}
