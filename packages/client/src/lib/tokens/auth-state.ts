import type { InlayError } from '../errors.ts';

/** Whether the user may send messages, and if not, why. */
export type AuthStatus =
  /** There is a token, or none was needed yet. */
  | 'ok'
  /** A token is being requested. Messages wait for it. */
  | 'refreshing'
  /** The token expired, and the host page has not provided another token. */
  | 'expired'
  /**
   * The token was revoked, and the host page provided no other token. If it never provided one,
   * `error.code` is `AUTH_DENIED` and `externalUserId` is null: usually no user is signed in.
   */
  | 'revoked'
  /** The user is blocked on the platform. */
  | 'blocked'
  /** The session's budget or the daily quota is used up. */
  | 'over_budget'
  /** This page is not among the allowed origins. */
  | 'origin_denied'
  /** The browser is offline. */
  | 'offline';

export interface AuthState {
  readonly status: AuthStatus;
  /** The cause; null for `ok`, `refreshing` and `offline`. */
  readonly error: InlayError | null;
  /** Whether `reconnect()`, which requests a new token, may help. */
  readonly canReconnect: boolean;
  /** The end user whom the token was issued for; null while unknown. */
  readonly externalUserId: string | null;
}

const statusByCode: ReadonlyMap<string, AuthStatus> = new Map([
  ['EMBED_USER_BLOCKED', 'blocked'],
  ['EMBED_ORIGIN_NOT_ALLOWED', 'origin_denied'],
  ['EMBED_QUOTA_EXCEEDED', 'over_budget'],
  ['EMBED_BUDGET_EXCEEDED', 'over_budget'],
  ['EMBED_TOKEN_REVOKED', 'revoked'],
  ['AUTH_DENIED', 'revoked'],
]);

/** Returns the status that an error code causes; undefined if it causes none. */
export function statusOf(code: string): AuthStatus | undefined {
  return statusByCode.get(code);
}

/** Whether a code rejects the user or the page itself, so that another token would not help. */
export function isAccessDenied(code: string): boolean {
  const status = statusOf(code);
  return status === 'blocked' || status === 'origin_denied';
}
