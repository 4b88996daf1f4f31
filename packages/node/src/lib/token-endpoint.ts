import type { IssueTokenRequest } from '@inlay/protocol';
import type { PlatformClient } from './platform-client.ts';
import { PlatformError } from './platform-error.ts';

/** Who is signed in, and what of the token depends on them. */
export type Identity = Omit<IssueTokenRequest, 'agent' | 'hosted'>;

export interface TokenEndpointOptions {
  platform: PlatformClient;
  /** Id or short id of the agent. */
  agent: string;
  /**
   * Says who is signed in, from the request's own session: a cookie, a header of your gateway.
   * Never from something that the page may choose, such as a query or body. Null: nobody is.
   */
  identify: (request: Request) => Identity | null | Promise<Identity | null>;
  /**
   * Origins of pages that may call this endpoint from another origin than its own. Default: none.
   * They get CORS answers with credentials.
   */
  allowedOrigins?: readonly string[];
  /** Told of every failure that is not the person's, for your log. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

/**
 * A ready endpoint for the page's `getToken`: `POST` answers `{ token, expires_at }` for the person
 * who is signed in. It runs wherever `Request` and `Response` do.
 *
 * Answers: 200; 401 `SIGNED_OUT` where `identify` says null; 403 `EMBED_USER_BLOCKED`, or
 * `ORIGIN_NOT_ALLOWED` for another site's page; 405; 502 `TOKEN_UNAVAILABLE` where the platform
 * fails, without its reasons, which are for `onError`.
 */
export function createTokenEndpoint(options: TokenEndpointOptions) {
  const onError = options.onError ?? ((error: unknown) => console.error(error));

  return async function tokenEndpoint(request: Request): Promise<Response> {
    const origin = request.headers.get('origin');
    const foreign = isForeign(request, origin);
    const allowed = !foreign || (origin !== null && options.allowedOrigins?.includes(origin));
    const cors = foreign && allowed && origin ? corsHeaders(origin) : { vary: 'Origin' };
    const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
      Response.json(body, {
        status,
        headers: { 'cache-control': 'no-store', ...cors, ...headers },
      });

    // Cookies come along on another site's request too; the answer to it must hold no token.
    if (!allowed) return answer(403, { code: 'ORIGIN_NOT_ALLOWED' });
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors });
    if (request.method !== 'POST') {
      return answer(405, { code: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
    }

    try {
      const identity = await options.identify(request);
      if (!identity) return answer(401, { code: 'SIGNED_OUT' });
      const { token, expires_at } = await options.platform.embedTokens.issue({
        ...identity,
        agent: options.agent,
      });
      return answer(200, { token, expires_at });
    } catch (error) {
      if (error instanceof PlatformError && error.code === 'EMBED_USER_BLOCKED') {
        return answer(403, { code: 'EMBED_USER_BLOCKED' });
      }
      onError(error);
      return answer(502, { code: 'TOKEN_UNAVAILABLE' });
    }
  };
}

/**
 * Whether the page that asks is of another origin. Browsers say so in `Sec-Fetch-Site`; an older one
 * is judged by its `Origin`, against the address that it called. Behind a proxy that changes `Host`,
 * only `Sec-Fetch-Site` is right, which is why it comes first.
 */
function isForeign(request: Request, origin: string | null): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  return origin !== null && origin !== new URL(request.url).origin;
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
    vary: 'Origin',
  };
}
