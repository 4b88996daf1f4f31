import { InlayError } from '../errors.ts';
import { given } from '../given.ts';
import { abortError } from '../wait.ts';
import { responseError } from './response-error.ts';
import type { ServerClock } from './retry-after.ts';

/** Where the agent service lives under the platform's address. */
export const agentPath = '/agent/v1';

/** What a request says, before it is written down. */
export interface RequestFields {
  readonly body?: unknown;
  /** Makes a repeat of the call safe. */
  readonly idempotencyKey?: string | undefined;
}

/** The headers and the body of a request, with a token if there is one. */
export function written(token: string | null, { body, idempotencyKey }: RequestFields = {}) {
  const json: string | undefined = JSON.stringify(body);
  return given<{ headers: Record<string, string>; body?: string }>({
    headers: given({
      accept: 'application/json',
      authorization: token === null ? undefined : `Bearer ${token}`,
      'content-type': json && 'application/json',
      'idempotency-key': idempotencyKey,
    }),
    body: json,
  });
}

/**
 * Sends one request. Resolves for a 2xx answer only; rejects with an `InlayError`. No request has
 * cookies, anything from or for the cache, a referrer, or a redirect, which would carry the token to
 * wherever it points.
 */
export async function send(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit & { signal: AbortSignal },
  serverNow?: ServerClock,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, {
      ...init,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
  } catch {
    if (init.signal.aborted) throw abortError(init.signal);
    // The browser hides which it was. Its error is left out: some quote the request.
    throw new InlayError(
      'NETWORK_ERROR',
      'The platform could not be reached, or its answer is hidden by a cross-origin rule.',
      { retryable: true },
    );
  }
  if (!response.ok) throw await responseError(response, serverNow);
  return response;
}
