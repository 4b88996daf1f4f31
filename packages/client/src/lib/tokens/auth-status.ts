import type { AuthStatus } from '../auth-state.ts';
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
