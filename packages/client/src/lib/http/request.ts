import { toJson } from '@inlay/protocol/to-json';
import { InlayError, throwNetworkError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { type Reader, readProblem } from '../responses/read-responses.ts';
import { abortError, untilAborted } from '../wait.ts';
import { readRetryAfter, type ServerClock } from './retry-after.ts';
import { uncached } from './uncached.ts';

/** Path of the agent service below the platform's address. */
export const agentPath = '/agent/v1';

export interface RequestFields {
  readonly body?: unknown;
  /** Makes it safe to repeat the request. */
  readonly idempotencyKey?: string | undefined;
}

/** Returns the headers and the body of a JSON request, with a token unless it is null. */
export function requestInit(token: string | null, { body, idempotencyKey }: RequestFields = {}) {
  const json = toJson(body);
  return omitUndefined<{ headers: Record<string, string>; body?: string }>({
    headers: omitUndefined({
      accept: 'application/json',
      authorization: token === null ? undefined : `Bearer ${token}`,
      'content-type': json && 'application/json',
      'idempotency-key': idempotencyKey,
    }),
    body: json,
  });
}

/**
 * Sends one request without cookies, cache or referrer. Redirects fail, so that the token and the body
 * are not sent to another address.
 *
 * @returns The response, whose status is 2xx.
 * @throws {InlayError} `NETWORK_ERROR` without a response, the reason of an aborted signal, and the
 *   problem's code (or `UNEXPECTED_RESPONSE`) for any other status.
 */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit & { signal: AbortSignal },
  serverNow?: ServerClock,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(uncached(url, init.method), {
      ...init,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
  } catch (cause) {
    if (init.signal.aborted) throw abortError(init.signal);
    throwNetworkError(cause);
  }
  if (!response.ok) throw await responseError(response, serverNow);
  return response;
}

/** Options of `postWithoutToken`. */
export interface PostOptions {
  /** The platform's address, without a slash at its end. */
  readonly baseUrl: string;
  readonly ports: { readonly fetch: typeof globalThis.fetch };
  readonly signal: AbortSignal;
  readonly serverNow?: ServerClock;
}

/** Posts JSON to a route that issues tokens. */
export async function postWithoutToken<Value>(
  { baseUrl, ports, signal, serverNow }: PostOptions,
  path: string,
  body: unknown,
  read: Reader<Value>,
): Promise<Value> {
  const init = { method: 'POST', ...requestInit(null, { body }), signal };
  return readBody(
    await sendRequest(ports.fetch, `${baseUrl}${agentPath}${path}`, init, serverNow),
    read,
  );
}

/**
 * Reads and validates a JSON body.
 *
 * @throws {InlayError} `UNEXPECTED_RESPONSE` for a body that is not JSON (retryable, because it may
 *   be a captive portal's page) or that `read` rejects; `NETWORK_ERROR` if the connection breaks.
 */
export async function readBody<Value>(response: Response, read: Reader<Value>): Promise<Value> {
  let value: unknown;
  try {
    value = await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) throw unexpected(response, 'is not JSON', true);
    throwNetworkError(error);
  }
  const result = read(value);
  if (result === null) throw unexpected(response, 'has an unexpected format');
  return result;
}

/** Reads a binary body. Only the signal limits the duration. */
export function readBlob(response: Response, signal?: AbortSignal): Promise<Blob> {
  return untilAborted(response.blob().catch(throwNetworkError), signal);
}

/** Converts a response that is not 2xx to an error, by its problem body or else by its status. */
export async function responseError(
  response: Response,
  serverNow?: ServerClock,
): Promise<InlayError> {
  const { status, headers } = response;
  const problem = readProblem(await response.json().catch(() => null));
  const { code, detail, retryable } = problem ?? {
    code: 'UNEXPECTED_RESPONSE',
    detail: `The platform responded with ${status} and no problem body.`,
    retryable: false,
  };
  return new InlayError(code, detail, {
    status,
    problem,
    retryable: retryable || isTransient(status, code),
    retryAfterMs: readRetryAfter(headers, serverNow),
    requestId: headers.get('x-request-id'),
  });
}

/** Whether a retry may help (docs/conformance.md, 7.5). An exceeded quota lasts until the next day. */
function isTransient(status: number, code: string): boolean {
  if (code === 'EMBED_QUOTA_EXCEEDED') return false;
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function unexpected(response: Response, fault: string, retryable = false): InlayError {
  return new InlayError('UNEXPECTED_RESPONSE', `The platform's response ${fault}.`, {
    retryable,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
  });
}
