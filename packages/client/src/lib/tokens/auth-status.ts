import type { AuthStatus } from '../auth-state.ts';

/** What a person is told about a code that ended the right to talk. */
const statuses: ReadonlyMap<string, AuthStatus> = new Map([
  ['EMBED_USER_BLOCKED', 'blocked'],
  ['EMBED_ORIGIN_NOT_ALLOWED', 'origin_denied'],
  ['EMBED_QUOTA_EXCEEDED', 'over_budget'],
  ['EMBED_BUDGET_EXCEEDED', 'over_budget'],
  ['EMBED_TOKEN_REVOKED', 'revoked'],
  ['AUTH_DENIED', 'revoked'],
]);

export function statusOf(code: string): AuthStatus | undefined {
  return statuses.get(code);
}

/** Whether the platform means the person or the page by it: no other token would do better. */
export function isBarred(code: string): boolean {
  const status = statusOf(code);
  return status === 'blocked' || status === 'origin_denied';
}
