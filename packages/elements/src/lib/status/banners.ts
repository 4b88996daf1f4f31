import type { Strings } from '../i18n/strings.ts';
import type { icons } from '../icons/icons.ts';
import type { BannerStatus } from './auth-views.ts';

/** How a state is shown. */
export interface Banner {
  readonly icon: keyof typeof icons;
  readonly tone: 'calm' | 'warning' | 'danger';
  /** Null for the reason that is given. */
  readonly text: (keyof Strings & `${string}Text`) | null;
  /** Whether to offer a new conversation. */
  readonly startOver: boolean;
}

export const banners: Readonly<Record<BannerStatus, Banner>> = {
  offline: { icon: 'offline', tone: 'calm', text: 'offlineText', startOver: false },
  signed_out: { icon: 'lock', tone: 'calm', text: 'signedOutText', startOver: false },
  unavailable: { icon: 'alert', tone: 'calm', text: 'unavailableText', startOver: false },
  expired: { icon: 'lock', tone: 'calm', text: 'expiredText', startOver: false },
  revoked: { icon: 'lock', tone: 'warning', text: 'revokedText', startOver: false },
  blocked: { icon: 'lock', tone: 'danger', text: 'blockedText', startOver: false },
  over_budget: { icon: 'alert', tone: 'warning', text: 'budgetText', startOver: true },
  closed: { icon: 'alert', tone: 'calm', text: 'closedText', startOver: true },
  disabled: { icon: 'lock', tone: 'calm', text: null, startOver: false },
  origin_denied: { icon: 'alert', tone: 'danger', text: 'originText', startOver: false },
};
