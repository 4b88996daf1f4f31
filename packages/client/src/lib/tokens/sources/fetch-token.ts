import { InlayError } from '../../errors.ts';
import { readRetryAfter } from '../../http/retry-after.ts';
import { readExchange } from '../../responses/read-responses.ts';
import { isAccessDenied } from '../auth-state.ts';

/**
 * Creates a `getToken` that requests a token from the host backend's token endpoint
 * (`createTokenEndpoint` of `@inlay/node`, or any that responds to `POST` with `{ token, expires_at }`).
 *
 * `getToken` returns null for a 401 response: no user is signed in. For a 403, it throws a final error
 * with the `code` of the body, such as `EMBED_USER_BLOCKED`, and so for the code `MISCONFIGURED` of any status.
 * Any other failure is thrown as retryable.
 */
export function fetchToken(url: string, options: { fetch?: typeof fetch } = {}) {
  return async (): Promise<{ token: string; expires_at: string } | null> => {
    const sendRequest = options.fetch ?? globalThis.fetch;
    const response = await sendRequest(resolve(url), {
      method: 'POST',
      credentials: 'include',
      cache: 'no-store',
      headers: { accept: 'application/json' },
    });
    const { status, ok } = response;
    if (status === 401) return null;
    const body: unknown = await response.json().catch(() => null);
    const grant = ok ? readExchange(body) : null;
    if (grant) return grant;
    const answered = Object(body).code;
    const isMisconfigured = answered === 'MISCONFIGURED';
    const isFinal = status === 403 || isMisconfigured;
    const code = ok ? 'INVALID_TOKEN_FROM_HOST' : (isFinal && answered) || 'TOKEN_UNAVAILABLE';
    const remedy = isMisconfigured
      ? ' Its API key, its agent or the policy of the agent is wrong, and its log names which.'
      : isFinal && !isAccessDenied(code)
        ? ' Let it allow the origin of this page.'
        : '';
    const isHtml = /\bhtml\b/.test(response.headers.get('content-type') ?? '');
    // After a redirect, the error names the address that responded.
    const address = (response.url || url).replace(/[?#].*/s, '');
    throw new InlayError(
      String(code),
      `The token endpoint ${address} responded with ${status}${isHtml ? ' and a web page' : ''} (${code}).${remedy}`,
      { status, retryable: !isFinal, retryAfterMs: readRetryAfter(response.headers) },
    );
  };
}

/**
 * Resolves a relative URL against the page. A `<base>` of another origin, which injected HTML may contain,
 * is ignored.
 */
function resolve(url: string): string {
  const { document, location, origin } = globalThis;
  if (!document) return url;
  try {
    const { baseURI } = document;
    const base = new URL(baseURI).origin === origin ? baseURI : location.href;
    return new URL(url, base).href;
  } catch {
    // It is not a URL, and `fetch` reports it.
    return url;
  }
}
