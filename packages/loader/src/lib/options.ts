import type { GetChallenge, GetToken } from '@inlay/client';

/**
 * Options of the script tag, as `data-…` attributes or members of `window.inlay`. Boolean attributes
 * are true if present, unless their value is `false`: `data-sound`, or `sound: true`. Every other
 * attribute of `inlay-launcher` is an option as well, such as `data-no-resume`. Options that are undefined or
 * null are ignored.
 */
export interface LoaderOptions {
  /**
   * URL of the Inlay server.
   * @default the directory of `inlay.js`, without `/v/<version>`
   */
  baseUrl?: string;
  /** `data-publishable-key`: publishable key, for users who are not signed in. */
  publishableKey?: string;
  /** `data-token-url`: URL of your backend's token endpoint, for signed-in users. */
  tokenUrl?: string;
  /** Fetches a token for the signed-in user. Only as a member of `window.inlay`. */
  getToken?: GetToken;
  /** Answers the challenge for visitors. Only as a member of `window.inlay`. */
  getChallenge?: GetChallenge;
  /**
   * `data-agent`: key of stored state, so that two chats on a page do not share state. It does not select
   * the agent: the token or publishable key does.
   */
  agent?: string;
  /** `data-placement`: `bottom-end` (default), `bottom-start`, `top-end` or `top-start`. */
  placement?: string;
  /** `data-offset-inline`: distance to the side of the window, in CSS pixels. Default: 20. */
  offsetInline?: string;
  /** `data-offset-block`: distance to the top or bottom of the window, in CSS pixels. Default: 20. */
  offsetBlock?: string;
  /** `data-avoid`: CSS selector of elements that the bubble should not cover. */
  avoid?: string;
  /** `data-no-drag`: prevents the user from moving the bubble. */
  noDrag?: string | boolean;
  /** `data-no-bubble`: hides the bubble, for pages that call `inlay.open()` from their own button. */
  noBubble?: string | boolean;
  /** `data-teaser`: text of a message beside the bubble, shown once per visit. */
  teaser?: string;
  /** `data-teaser-delay`: delay of the teaser, in seconds. Default: 4. */
  teaserDelay?: string;
  /** `data-sound`: plays a sound when an answer arrives while the panel is closed. */
  sound?: string | boolean;
  /** `data-open`: opens the panel on each page load, until the user closes it. */
  open?: string | boolean;
  /** `data-draft-storage`: `session` (default), `local`, or `memory` to store nothing. */
  draftStorage?: string;
  /** `data-color-scheme`: `light`, `dark` or `auto` (default). */
  colorScheme?: string;
  /** `data-heading`: title of the panel. Default: the agent's name. */
  heading?: string;
  /**
   * `data-language`: language of the user interface, a BCP 47 tag. Default: the language of the page, or
   * else of the browser. The options `label`, `dismiss` and `failed` translate the strings that are used
   * before the chat is loaded.
   */
  language?: string;
  /** `data-label`: accessible name of the bubble. Default: `Open chat`. */
  label?: string;
  /** `data-dismiss`: accessible name of the button that hides the teaser. Default: `Dismiss`. */
  dismiss?: string;
  /** `data-failed`: text shown if the chat can't be loaded. Default: `Chat not loaded. Try again?`. */
  failed?: string;
  /** `data-accent`: accent color, any CSS color. */
  accent?: string;
}

/** Reads the options from the attributes of the script tag. */
export function readOptions(script: HTMLScriptElement): LoaderOptions {
  const { src, dataset } = script;
  // An inlined script has no URL.
  if (!src) return { ...dataset };
  // A pinned version is served from `/v/<version>/` of the same server.
  const baseUrl = new URL('.', src).href.replace(/\/(v\/[^/]+\/)?$/, '');
  return { baseUrl, ...dataset };
}
