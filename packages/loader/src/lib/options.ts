import type { GetToken } from '@inlay/client';

/**
 * How the chat of a script tag is set up. Each is a `data-…` attribute or a member of `inlay`. What
 * is on or off is on when it is there: `data-sound`, or `sound: true`. Every other attribute of
 * `inlay-launcher` is passed on as well, such as `data-no-resume`.
 */
export interface LoaderOptions {
  /**
   * The platform's address.
   * @default the folder of `inlay.js`, without `/v/<version>`
   */
  baseUrl?: string;
  /** `data-publishable-key`: for people who are not signed in. */
  publishableKey?: string;
  /** `data-token-url`: the host backend's token endpoint, for people who are signed in. */
  tokenUrl?: string;
  /** For people who are signed in, where an address is not enough. Only as a member of `inlay`. */
  getToken?: GetToken;
  /** `data-agent`: tells two chats of a page apart; the token or key decides which agent answers. */
  agent?: string;
  /** `data-placement`: `bottom-end` (default), `bottom-start`, `top-end` or `top-start`. */
  placement?: string;
  /** `data-offset-inline`: pixels to the side of the window. Default: 20. */
  offsetInline?: string;
  /** `data-offset-block`: pixels to the top or bottom of the window. Default: 20. */
  offsetBlock?: string;
  /** `data-no-drag`: keeps the bubble where it is. */
  noDrag?: string | boolean;
  /** `data-no-bubble`: no bubble, for pages that call `inlay.open()` from a button of their own. */
  noBubble?: string | boolean;
  /** `data-teaser`: a message beside the bubble, once in a visit. */
  teaser?: string;
  /** `data-teaser-delay`: after how many seconds it comes. Default: 4. */
  teaserDelay?: string;
  /** `data-sound`: a chime for an answer that comes while the panel is closed. */
  sound?: string | boolean;
  /** `data-open`: opens the panel, beside the page, until the person closes it. */
  open?: string | boolean;
  /** `data-draft-storage`: `memory` keeps nothing for the next page. Default: `session`. */
  draftStorage?: string;
  /** `data-color-scheme`: `light`, `dark` or `auto` (default). */
  colorScheme?: string;
  /** `data-heading`: the panel's title. Default: the agent's name. */
  heading?: string;
  /**
   * `data-language`: BCP 47 tag of the chat's own words. Default: that of the page, or the browser's.
   * What stands before the chat is loaded is said by the next three.
   */
  language?: string;
  /** `data-label`: what the bubble is called for a screen reader. Default: `Open chat`. */
  label?: string;
  /** `data-dismiss`: what takes the teaser away, for a screen reader. Default: `Dismiss`. */
  dismiss?: string;
  /** `data-failed`: what the bubble says when the chat can't be loaded. Default: in English. */
  failed?: string;
  /** `data-accent`: a CSS colour for the bubble before the chat is there. */
  accent?: string;
}

/** Whether something is switched on. */
export function isOn(option: string | boolean | undefined): boolean {
  return option !== undefined && option !== false;
}

/** What the script's attributes say: any of them is passed on to the launcher. */
export function readOptions(script: HTMLScriptElement): LoaderOptions {
  // A pinned version lies in `/v/<version>/` of the same platform.
  const baseUrl = new URL('.', script.src).href.replace(/\/(v\/[^/]+\/)?$/, '');
  return { baseUrl, ...script.dataset };
}
