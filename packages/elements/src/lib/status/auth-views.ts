import type { AuthStatus } from '@inlay/client';
import type { Strings } from '../i18n/strings.ts';

/**
 * `closed`: this conversation has ended; others can continue. `signed_out`: no user is or was signed
 * in. `unavailable`: no first token could be obtained, for a reason outside the user's control.
 */
export type ChatStatus = AuthStatus | 'closed' | 'signed_out' | 'unavailable';

/** The composer mode of an auth state. */
export type Writing =
  /** Writing and sending. Messages are queued while offline. */
  | 'open'
  /** Writing, but not sending. */
  | 'paused'
  /** Reading and copying the draft only. */
  | 'closed';

/** Name of a state and what it permits. `banners.ts` defines how it is shown. */
export interface AuthView {
  readonly title: keyof Strings & `${string}Title`;
  readonly writing: Writing;
}

/** The states that are shown as a banner. `ok` shows nothing, `refreshing` a line after a second. */
export type Barrier = Exclude<ChatStatus, 'ok' | 'refreshing'>;

export const authViews: Readonly<Record<Barrier, AuthView>> = {
  offline: { title: 'offlineTitle', writing: 'open' },
  signed_out: { title: 'signedOutTitle', writing: 'closed' },
  unavailable: { title: 'unavailableTitle', writing: 'paused' },
  expired: { title: 'expiredTitle', writing: 'paused' },
  revoked: { title: 'revokedTitle', writing: 'closed' },
  blocked: { title: 'blockedTitle', writing: 'closed' },
  over_budget: { title: 'budgetTitle', writing: 'paused' },
  closed: { title: 'closedTitle', writing: 'paused' },
  origin_denied: { title: 'originTitle', writing: 'closed' },
};

export function barrierIn(status: ChatStatus): Barrier | null {
  return status === 'ok' || status === 'refreshing' ? null : status;
}

export function viewOf(status: ChatStatus): AuthView | null {
  const barrier = barrierIn(status);
  return barrier && authViews[barrier];
}

/** Returns the composer mode of a status. */
export function writingIn(status: ChatStatus): Writing {
  return viewOf(status)?.writing ?? 'open';
}
