import type { AuthStatus } from '@inlay/client';
import type { Strings } from '../i18n/strings.ts';

/**
 * `closed`: the user may talk, but not in this conversation. `signed_out`: the page has nobody to
 * talk for, and never had. `unavailable`: no token could be had yet, through no fault of the user.
 */
export type ChatStatus = AuthStatus | 'closed' | 'signed_out' | 'unavailable';

/** What the user can do with the composer in a state. */
export type Writing =
  /** Write and send. What can't go out yet waits. */
  | 'open'
  /** Write, but not send. */
  | 'held'
  /** Read and copy what is written. */
  | 'closed';

/** What a state is called, and leaves open. How it is shown stands in `banners.ts`. */
export interface AuthView {
  readonly title: keyof Strings & `${string}Title`;
  readonly writing: Writing;
}

/** The states that are shown as a banner. `ok` shows nothing, `refreshing` a line after a second. */
export type Barrier = Exclude<ChatStatus, 'ok' | 'refreshing'>;

export const authViews: Readonly<Record<Barrier, AuthView>> = {
  offline: { title: 'offlineTitle', writing: 'open' },
  signed_out: { title: 'signedOutTitle', writing: 'closed' },
  unavailable: { title: 'unavailableTitle', writing: 'held' },
  expired: { title: 'expiredTitle', writing: 'held' },
  revoked: { title: 'revokedTitle', writing: 'closed' },
  blocked: { title: 'blockedTitle', writing: 'closed' },
  over_budget: { title: 'budgetTitle', writing: 'held' },
  closed: { title: 'closedTitle', writing: 'held' },
  origin_denied: { title: 'originTitle', writing: 'closed' },
};

export function barrierIn(status: ChatStatus): Barrier | null {
  return status === 'ok' || status === 'refreshing' ? null : status;
}

export function viewOf(status: ChatStatus): AuthView | null {
  const barrier = barrierIn(status);
  return barrier && authViews[barrier];
}

/** What the user can do with the composer. */
export function writingIn(status: ChatStatus): Writing {
  return viewOf(status)?.writing ?? 'open';
}
