import { asInlayError, InlayError } from '../errors.ts';
import { untilAborted } from '../wait.ts';
import type { Reader } from '../wire/answers.ts';

/** Reads an answer's JSON. */
export async function readBody<Value>(response: Response, read: Reader<Value>): Promise<Value> {
  let value: unknown;
  try {
    value = await response.json();
  } catch (error) {
    // What came whole is somebody else's page, such as a captive portal's, which may go away; or it
    // broke off, which is the network's fault.
    throw error instanceof SyntaxError
      ? unexpected(response, 'is not JSON', true)
      : asInlayError(error);
  }
  const result = read(value);
  if (result === null) throw unexpected(response, 'is not what this call is answered with');
  return result;
}

/** Reads an answer that is not for this code to look at. It may take its time, until a signal ends. */
export async function readBlob(
  response: Response,
  ...signals: (AbortSignal | undefined)[]
): Promise<Blob> {
  try {
    return await signals.reduce(untilAborted, response.blob());
  } catch (error) {
    throw asInlayError(error);
  }
}

function unexpected(response: Response, fault: string, retryable = false): InlayError {
  return new InlayError('UNEXPECTED_RESPONSE', `The platform's answer ${fault}.`, {
    retryable,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
  });
}
