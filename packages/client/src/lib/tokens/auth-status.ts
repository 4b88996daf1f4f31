import type { AuthState, AuthStatus } from '../auth-state.ts';
import type { InlayError } from '../errors.ts';

/** What a person is told about an error that ended the right to talk. */
export function statusOf(error: InlayError, otherwise: AuthStatus): AuthStatus {
  switch (error.code) {
    case 'EMBED_USER_BLOCKED':
      return 'blocked';
    case 'EMBED_ORIGIN_NOT_ALLOWED':
      return 'origin_denied';
    case 'EMBED_QUOTA_EXCEEDED':
    case 'EMBED_BUDGET_EXCEEDED':
      return 'over_budget';
    case 'EMBED_TOKEN_REVOKED':
    case 'AUTH_DENIED':
      return 'revoked';
    default:
      return otherwise;
  }
}

/** What decides about the state that is shown, the strongest first. */
export interface AuthGrounds {
  /** What ended the right to talk. */
  readonly ended: AuthState | null;
  readonly online: boolean;
  /** The budget or quota that is spent. */
  readonly limit: InlayError | null;
  /** Whether a token is at hand, or none was needed yet. */
  readonly good: boolean;
  /** What callers were told who waited for a token in vain, a short time ago. */
  readonly gaveUp: InlayError | null;
  readonly externalUserId: string | null;
}

/** The state to show. The one before, if nothing changed. */
export function authState(before: AuthState, grounds: AuthGrounds): AuthState {
  const next = grounds.ended ?? {
    ...statusFrom(grounds),
    externalUserId: grounds.externalUserId,
  };
  const keys = ['status', 'error', 'canReconnect', 'externalUserId'] as const;
  return keys.every((key) => before[key] === next[key]) ? before : Object.freeze(next);
}

function statusFrom({
  online,
  limit,
  good,
  gaveUp,
}: AuthGrounds): Omit<AuthState, 'externalUserId'> {
  const plain = { error: null, canReconnect: false };
  if (!online) return { ...plain, status: 'offline' };
  if (limit) return { status: 'over_budget', error: limit, canReconnect: true };
  if (good) return { ...plain, status: 'ok' };
  if (gaveUp) return { status: 'expired', error: gaveUp, canReconnect: true };
  return { ...plain, status: 'refreshing' };
}
