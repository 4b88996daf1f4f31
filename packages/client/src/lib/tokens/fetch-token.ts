import { InlayError } from '../errors.ts';
import { readExchange } from '../wire/answers.ts';

/**
 * A `getToken` that asks the host backend's token endpoint (`createTokenEndpoint` of
 * `@inlay/node`, or anything that answers a `POST` with `{ token, expires_at }`).
 *
 * 401 and 403 mean that the person may not talk: it gives null. Any other failure may pass and is
 * thrown, so that it is tried again.
 */
export function fetchToken(url: string, options: { fetch?: typeof fetch } = {}) {
  return async (): Promise<{ token: string; expires_at: string } | null> => {
    const send = options.fetch ?? globalThis.fetch;
    const response = await send(url, {
      method: 'POST',
      credentials: 'include',
      cache: 'no-store',
      headers: { accept: 'application/json' },
    });
    if (response.status === 401 || response.status === 403) return null;
    const grant = response.ok ? readExchange(await response.json().catch(() => null)) : null;
    if (grant) return grant;
    throw new InlayError(
      response.ok ? 'INVALID_TOKEN_FROM_HOST' : 'TOKEN_UNAVAILABLE',
      `The token endpoint ${url} answered ${response.status}${response.ok ? ' without { token, expires_at }' : ''}.`,
      { status: response.status, retryable: true },
    );
  };
}
