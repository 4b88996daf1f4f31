import type { AuthStatus } from '@inlay/client';
import type { Strings } from '../i18n/strings.ts';

/**
 * `closed`: this conversation has ended; other conversations can continue. `signed_out`: no user is or
 * was signed in. `unavailable`: no first token could be obtained, for a reason outside the user's
 * control. `disabled`: the page has disabled the chat.
 */
export type ChatStatus = AuthStatus | 'closed' | 'disabled' | 'signed_out' | 'unavailable';

/** The composer mode of an auth state. */
export type ComposerMode =
  /** Writing and sending. Messages are queued while offline. */
  | 'open'
  /** Writing, but not sending. */
  | 'paused'
  /** Reading and copying the draft only. */
  | 'closed';

/** Name of a state and what it permits. `banners.ts` defines how it is shown. */
export interface AuthView {
  /** Null without a title. */
  readonly title: (keyof Strings & `${string}Title`) | null;
  readonly composerMode: ComposerMode;
}

/** The states that are shown as a banner. `ok` shows nothing, `refreshing` a line after a second. */
export type BannerStatus = Exclude<ChatStatus, 'ok' | 'refreshing'>;

export const authViews: Readonly<Record<BannerStatus, AuthView>> = {
  offline: { title: 'offlineTitle', composerMode: 'open' },
  signed_out: { title: 'signedOutTitle', composerMode: 'closed' },
  unavailable: { title: 'unavailableTitle', composerMode: 'paused' },
  expired: { title: 'expiredTitle', composerMode: 'paused' },
  revoked: { title: 'revokedTitle', composerMode: 'closed' },
  blocked: { title: 'blockedTitle', composerMode: 'closed' },
  over_budget: { title: 'budgetTitle', composerMode: 'paused' },
  closed: { title: 'closedTitle', composerMode: 'paused' },
  disabled: { title: null, composerMode: 'closed' },
  origin_denied: { title: 'originTitle', composerMode: 'closed' },
};

export function bannerStatusOf(status: ChatStatus): BannerStatus | null {
  return status === 'ok' || status === 'refreshing' ? null : status;
}

export function viewOf(status: ChatStatus): AuthView | null {
  const bannerStatus = bannerStatusOf(status);
  return bannerStatus && authViews[bannerStatus];
}

/** Returns the composer mode of a status. */
export function composerModeFor(status: ChatStatus): ComposerMode {
  return viewOf(status)?.composerMode ?? 'open';
}
