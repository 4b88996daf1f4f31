import type { InlayError } from './errors.ts';

/**
 * Whether the person may talk, and if not, why. Every state but `ok` and `refreshing` is shown to
 * the person, in words, with a way on.
 */
export type AuthStatus =
  /** A token is at hand, or none was needed yet. */
  | 'ok'
  /** A token is being fetched. What is said meanwhile waits for it. */
  | 'refreshing'
  /** The token ran out and the host gave no new one yet. */
  | 'expired'
  /**
   * The host ended the token, and gave no new one; or it never gave one: then `error.code` is
   * `AUTH_DENIED` and `externalUserId` is null, which for most hosts means that nobody is signed in.
   */
  | 'revoked'
  /** The host blocked this person. */
  | 'blocked'
  /** The session's budget or the day's quota is spent. */
  | 'over_budget'
  /** This page is not among the allowed origins. */
  | 'origin_denied'
  /** There is no network. */
  | 'offline';

export interface AuthState {
  readonly status: AuthStatus;
  /** What led here; null for `ok`, `refreshing` and `offline`. */
  readonly error: InlayError | null;
  /** Whether `reconnect()` can help: asking the token source once more. */
  readonly canReconnect: boolean;
  /** The end user that the token speaks for; null while unknown. */
  readonly externalUserId: string | null;
}
