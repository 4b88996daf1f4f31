import type { IssueTokenRequest, IssueTokenResponse } from '@inlay/protocol';
import type { PlatformClient } from './platform-client.ts';
import { PlatformError } from './platform-error.ts';
import { requireDelay } from './require-delay.ts';

/** The signed-in user, and the token options that depend on them. */
export type Identity = Omit<IssueTokenRequest, 'agent' | 'hosted'>;

export interface UserLimit {
  /** Maximum number of tokens of one user within `seconds`. */
  tokens: number;
  /** Length of the sliding window in seconds. */
  seconds: number;
}

export interface TokenEndpointOptions {
  platform: PlatformClient;
  /** Id or short id of the agent. */
  agent: string;
  /**
   * Returns the signed-in user, or null. Identify the user by the session of the request (a cookie, or
   * a header set by your gateway), never by data that the page chooses, such as the query or body.
   */
  identify: (request: Request) => Identity | null | Promise<Identity | null>;
  /**
   * Other origins whose pages may call this endpoint. They get CORS headers with credentials.
   *
   * @default none
   */
  allowedOrigins?: readonly string[];
  /**
   * Rate limit per user, so that no user exhausts the rate limit of your API key. Concurrent requests
   * of a user share a token and count once.
   *
   * @default 10 tokens within 20 seconds
   */
  userLimit?: UserLimit;
  /**
   * Timeout of a response, in milliseconds, from 1 to 2,147,483,647. A page waits 10 seconds for it.
   *
   * @default 9_000
   */
  timeoutMs?: number;
  /**
   * Called with the error of every 5xx response, for your log.
   *
   * @default console.error
   */
  onError?: (error: unknown) => void;
}

/**
 * Creates the token endpoint for a page: a `POST` returns `{ token, expires_at }` for the signed-in
 * user. The function runs on every server with `Request` and `Response`. A queue keeps issuances within
 * the rate limit of the API key, so that many users can open a page simultaneously. Create the endpoint
 * once, at module level, because it counts the requests of each user in memory.
 *
 * Responses: 200; 401 `SIGNED_OUT` if `identify` returns null; 403 `EMBED_USER_BLOCKED`, or
 * `ORIGIN_NOT_ALLOWED` for a page of another origin; 405 `METHOD_NOT_ALLOWED`; 429 `RATE_LIMITED`
 * over `userLimit`; 500 `MISCONFIGURED` if a retry can't help (unknown agent, wrong key, invalid
 * `external_user_id`); 500 `TOKEN_UNAVAILABLE` if `identify` throws; 502 `TOKEN_UNAVAILABLE` if the
 * platform fails; 503 `TOKEN_UNAVAILABLE` if no token is issued in time. Responses with 429 and 503
 * have a `Retry-After`. An error body has only the code; `onError` receives the error of a 5xx.
 *
 * @throws PlatformError `INVALID_OPTION` for an invalid `timeoutMs`.
 */
export function createTokenEndpoint(options: TokenEndpointOptions) {
  const timeoutMs = requireDelay('timeoutMs', options.timeoutMs ?? 9_000);
  const onError = options.onError ?? ((error: unknown) => console.error(error));
  const countToken = createUserRateLimiter(options.userLimit ?? { tokens: 10, seconds: 20 });
  /** Issuances in progress, by their parameters. */
  const inProgress = new Map<string, Promise<IssueTokenResponse>>();

  return async function tokenEndpoint(request: Request): Promise<Response> {
    const origin = request.headers.get('origin');
    const isCrossOrigin = isFromOtherOrigin(request, origin);
    const isAllowed =
      !isCrossOrigin || (origin !== null && options.allowedOrigins?.includes(origin));
    const cors = isCrossOrigin && isAllowed && origin ? corsHeaders(origin) : { vary: 'Origin' };
    const respond = (status: number, body: object, headers: Record<string, string> = {}) =>
      Response.json(body, {
        status,
        headers: { 'cache-control': 'no-store', ...cors, ...headers },
      });

    // Browsers also send cookies with cross-site requests, but other sites must not get a token.
    if (!isAllowed) return respond(403, { code: 'ORIGIN_NOT_ALLOWED' });
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors });
    if (request.method !== 'POST') {
      return respond(405, { code: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
    }

    try {
      const identity = await options.identify(request);
      if (!identity) return respond(401, { code: 'SIGNED_OUT' });
      const { token, expires_at } = await issueOnce(identity);
      return respond(200, { token, expires_at });
    } catch (error) {
      const { status, code, retryAfterSeconds } = failureOf(error);
      if (status >= 500) onError(error);
      return respond(
        status,
        { code },
        retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {},
      );
    }
  };

  /** Issues a token, or joins an issuance in progress for the same user and parameters. */
  function issueOnce(identity: Identity): Promise<IssueTokenResponse> {
    const key = JSON.stringify(identity);
    const shared = inProgress.get(key);
    if (shared !== undefined) return shared;
    const retryAfterSeconds = countToken(identity.external_user_id);
    if (retryAfterSeconds > 0) return Promise.reject(new UserLimitError(retryAfterSeconds));
    const issuance = options.platform.embedTokens
      .issue({ ...identity, agent: options.agent }, { timeoutMs })
      .finally(() => inProgress.delete(key));
    inProgress.set(key, issuance);
    return issuance;
  }
}

/**
 * Creates a rate limiter with a sliding window per user. It stores only users with tokens in the
 * current window.
 *
 * @returns A function that counts a token of a user and returns 0. If the user has reached the limit,
 *   the function counts nothing and returns the seconds until the next token is allowed.
 */
function createUserRateLimiter({ tokens, seconds }: UserLimit) {
  /**
   * Times of the recent tokens of each user, oldest first. Users are sorted by their latest token,
   * oldest first.
   */
  const timesByUser = new Map<string, number[]>();

  return function countToken(externalUserId: string): number {
    const windowStart = performance.now() - seconds * 1000;
    for (const [user, times] of timesByUser) {
      if ((times.at(-1) ?? windowStart) > windowStart) break;
      timesByUser.delete(user);
    }
    const recent = (timesByUser.get(externalUserId) ?? []).filter((time) => time > windowStart);
    if (recent.length >= tokens) {
      return Math.max(1, Math.ceil(((recent[0] ?? 0) - windowStart) / 1000));
    }
    timesByUser.delete(externalUserId);
    timesByUser.set(externalUserId, [...recent, performance.now()]);
    return 0;
  };
}

class UserLimitError extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('The user has requested too many tokens.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns the status, code and `Retry-After` of the response for an error. */
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
 * Whether the request comes from a page of another origin, by `Sec-Fetch-Site` or, in older browsers,
 * by comparing `Origin` with the request's URL. That comparison fails behind a proxy that changes
 * `Host`, so `Sec-Fetch-Site` takes precedence.
 */
function isFromOtherOrigin(request: Request, origin: string | null): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  return origin !== null && origin !== new URL(request.url).origin;
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type, authorization',
    'access-control-max-age': '600',
    vary: 'Origin',
  };
}
