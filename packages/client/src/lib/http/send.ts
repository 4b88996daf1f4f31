import { InlayError } from '../errors.ts';
import { abortError } from '../wait.ts';
import { responseError } from './response-error.ts';

/** Where the agent service lives under the platform's address. */
export const agentPath = '/agent/v1';

/**
 * What every request has in common: no cookies, nothing from or for the cache, no referrer, and no
 * redirect, which would carry the token to wherever it points.
 */
export const guarded = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'error',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;

/** Sends one request. Resolves for a 2xx answer only; rejects with an `InlayError`. */
export async function send(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, ...guarded });
  } catch {
    if (init.signal.aborted) throw abortError(init.signal);
    // The browser hides which it was. Its error is left out: some quote the request.
    throw new InlayError(
      'NETWORK_ERROR',
      'The platform could not be reached, or its answer is hidden by a cross-origin rule.',
      { retryable: true },
    );
  }
  if (!response.ok) throw await responseError(response);
  return response;
}
