import type { IssueTokenRequest, IssueTokenResponse } from '@inlay/protocol';
import type { PlatformClient } from './platform-client.ts';
import { PlatformError } from './platform-error.ts';
import { createUserRate, type UserLimit } from './user-rate.ts';

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
  /**
   * How many tokens one person may get, so that no single person uses up the rate limit of your API key.
   * Requests that arrive while one for the same person is under way share its token, and count once.
   * Default: 10 tokens within 20 seconds.
   */
  userLimit?: UserLimit;
  /**
   * Milliseconds in which a request is answered. A page waits for 10 seconds. Default 9,000.
   */
  timeout?: number;
  /** Called with every failure that is not the person's, for your log. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

/**
 * A ready endpoint for the page's `getToken`: `POST` answers `{ token, expires_at }` for the person
 * who is signed in. It runs wherever `Request` and `Response` do. Any number of people may open a
 * page at once: issuance waits in a queue for the rate limit of the API key. Create it once, where the
 * module is loaded: `userLimit` is counted in its memory.
 *
 * Answers: 200; 401 `SIGNED_OUT` where `identify` says null; 403 `EMBED_USER_BLOCKED`, or
 * `ORIGIN_NOT_ALLOWED` for another site's page; 405; 429 `RATE_LIMITED` beyond `userLimit`; 500
 * `MISCONFIGURED` where repeating can't help, such as an unknown agent, a wrong key or an
 * `external_user_id` that the platform refuses, and 500 `TOKEN_UNAVAILABLE` where `identify` throws;
 * 502 `TOKEN_UNAVAILABLE` where the platform fails; 503 `TOKEN_UNAVAILABLE` where it has no time.
 * 429 and 503 carry `Retry-After`. The reasons of 5xx are for `onError` alone.
 */
export function createTokenEndpoint(options: TokenEndpointOptions) {
  const onError = options.onError ?? ((error: unknown) => console.error(error));
  const takeToken = createUserRate(options.userLimit ?? { tokens: 10, seconds: 20 });
  /** Issuances under way, by all that they were asked for. */
  const underWay = new Map<string, Promise<IssueTokenResponse>>();

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
      const { token, expires_at } = await issueOnce(identity);
      return answer(200, { token, expires_at });
    } catch (error) {
      const { status, code, retryAfterSeconds } = failureOf(error);
      if (status >= 500) onError(error);
      return answer(
        status,
        { code },
        retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {},
      );
    }
  };

  /** Issues a token, or joins an issuance for the same person and terms that is under way. */
  function issueOnce(identity: Identity): Promise<IssueTokenResponse> {
    const key = JSON.stringify(identity);
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const retryAfterSeconds = takeToken(identity.external_user_id);
    if (retryAfterSeconds > 0) return Promise.reject(new UserLimitError(retryAfterSeconds));
    const issuance = options.platform.embedTokens
      .issue({ ...identity, agent: options.agent }, { within: options.timeout ?? 9_000 })
      .finally(() => underWay.delete(key));
    underWay.set(key, issuance);
    return issuance;
  }
}

class UserLimitError extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('This person asks for too many tokens.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** How a failure is answered. The page learns what to do about it, and nothing of its reasons. */
function failureOf(error: unknown): { status: number; code: string; retryAfterSeconds?: number } {
  if (error instanceof UserLimitError) {
    return { status: 429, code: 'RATE_LIMITED', retryAfterSeconds: error.retryAfterSeconds };
  }
  if (!(error instanceof PlatformError)) return { status: 500, code: 'TOKEN_UNAVAILABLE' };
  if (error.code === 'EMBED_USER_BLOCKED') return { status: 403, code: 'EMBED_USER_BLOCKED' };
  if (!error.retryable) return { status: 500, code: 'MISCONFIGURED' };
  const isBusy =
    error.status === 429 ||
    error.status === 503 ||
    error.code === 'TIMEOUT' ||
    error.code === 'QUEUE_FULL';
  return isBusy
    ? { status: 503, code: 'TOKEN_UNAVAILABLE', retryAfterSeconds: error.retryAfterSeconds ?? 1 }
    : { status: 502, code: 'TOKEN_UNAVAILABLE' };
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
