import type { AuthStatus } from '@inlay/client';
import type { Strings } from '../i18n/strings.ts';
import type { icons } from '../icons/all-icons.ts';

/**
 * `closed`: the person may talk, but not in this conversation. `signed_out`: the page has nobody to
 * talk for, and never had. `unavailable`: no token could be had yet, through no fault of the person.
 */
export type ChatStatus = AuthStatus | 'closed' | 'signed_out' | 'unavailable';

/** What the person can do with the composer in a state. */
export type Writing =
  /** Write and send. What can't go out yet waits. */
  | 'open'
  /** Write, but not send. */
  | 'held'
  /** Read and copy what is written. */
  | 'closed';

/** How a state is shown. */
export interface AuthView {
  readonly icon: keyof typeof icons;
  readonly tone: 'calm' | 'warning' | 'danger';
  readonly title: keyof Strings & `${string}Title`;
  readonly text: keyof Strings & `${string}Text`;
  readonly writing: Writing;
  /** Whether a new conversation can be the way on. */
  readonly startOver: boolean;
}

/** The states that are shown as a banner. `ok` shows nothing, `refreshing` a line after a second. */
export const authViews: Readonly<Record<Exclude<ChatStatus, 'ok' | 'refreshing'>, AuthView>> = {
  offline: {
    icon: 'offline',
    tone: 'calm',
    title: 'offlineTitle',
    text: 'offlineText',
    writing: 'open',
    startOver: false,
  },
  signed_out: {
    icon: 'lock',
    tone: 'calm',
    title: 'signedOutTitle',
    text: 'signedOutText',
    writing: 'closed',
    startOver: false,
  },
  unavailable: {
    icon: 'alert',
    tone: 'calm',
    title: 'unavailableTitle',
    text: 'unavailableText',
    writing: 'held',
    startOver: false,
  },
  expired: {
    icon: 'lock',
    tone: 'calm',
    title: 'expiredTitle',
    text: 'expiredText',
    writing: 'held',
    startOver: false,
  },
  revoked: {
    icon: 'lock',
    tone: 'warning',
    title: 'revokedTitle',
    text: 'revokedText',
    writing: 'closed',
    startOver: false,
  },
  blocked: {
    icon: 'lock',
    tone: 'danger',
    title: 'blockedTitle',
    text: 'blockedText',
    writing: 'closed',
    startOver: false,
  },
  over_budget: {
    icon: 'alert',
    tone: 'warning',
    title: 'budgetTitle',
    text: 'budgetText',
    writing: 'held',
    startOver: true,
  },
  closed: {
    icon: 'alert',
    tone: 'calm',
    title: 'closedTitle',
    text: 'closedText',
    writing: 'held',
    startOver: true,
  },
  origin_denied: {
    icon: 'alert',
    tone: 'danger',
    title: 'originTitle',
    text: 'originText',
    writing: 'closed',
    startOver: false,
  },
};

export function viewOf(status: ChatStatus): AuthView | null {
  return status === 'ok' || status === 'refreshing' ? null : authViews[status];
}

/** What the person can do with the composer. */
export function writingIn(status: ChatStatus): Writing {
  return viewOf(status)?.writing ?? 'open';
}
