import { property } from 'lit/decorators.js';
import { ChatOptions } from '../chat/chat-options.ts';
import { isOn } from '../options/is-on.ts';
import type { Place, Placement } from './place.ts';
import type { TeaserRules } from './teaser-rules.ts';

/** Public options of `inlay-launcher` in addition to those of `inlay-chat`. */
export class LauncherOptions extends ChatOptions {
  /** Whether the panel is open. */
  @property({ type: Boolean, converter: isOn, reflect: true }) open = false;

  /**
   * Corner of the bubble until the user moves it: `bottom-end` (default), `bottom-start`, `top-end`
   * or `top-start`. Start and end depend on the page's text direction.
   */
  @property({ reflect: true }) placement: Placement = 'bottom-end';

  /**
   * Distance between the bubble and the side of the window, in CSS pixels. Replaces
   * `--inlay-launcher-offset-inline`.
   */
  @property({ type: Number, attribute: 'offset-inline' }) offsetInline: number | null = null;

  /**
   * Distance between the bubble and the top or bottom of the window, in CSS pixels. Replaces
   * `--inlay-launcher-offset-block`.
   */
  @property({ type: Number, attribute: 'offset-block' }) offsetBlock: number | null = null;

  /**
   * Position of the bubble, set by the user or the page: its `side` (`start` or `end`) and how far
   * `up` it is, from 0 to 1. Null for the corner of `placement`.
   */
  @property({ attribute: false }) place: Place | null = null;

  /**
   * CSS selector of elements that the bubble should not cover, in addition to the fixed elements that it
   * finds by itself.
   */
  @property() avoid = '';

  /** Prevents the user from moving the bubble. */
  @property({ type: Boolean, converter: isOn, attribute: 'no-drag' }) noDrag = false;

  /** Hides the bubble and the teaser, for pages that call `show()` from their own button. */
  @property({ type: Boolean, converter: isOn, reflect: true, attribute: 'no-bubble' })
  noBubble = false;

  /**
   * Text of the teaser, an invitation beside the bubble. It is shown once per visit, unless the panel
   * was opened or closed before. Clicking it opens the panel.
   */
  @property() teaser = '';

  /** Delay of the teaser, in seconds. */
  @property({ type: Number, attribute: 'teaser-delay' }) teaserDelay = 4;

  /**
   * When the teaser is shown, instead of `teaserDelay`: once all given rules hold. Not for the teaser that the
   * script tag draws.
   */
  @property({ attribute: false }) showWhen: TeaserRules | null = null;

  /** Plays a short chime when an agent message arrives while the panel is closed. */
  @property({ type: Boolean, converter: isOn }) sound = false;

  /**
   * Separates the stored state of two launchers with the same `base-url` and the same key or
   * `token-url`. It does not choose the agent: the token or key does.
   */
  @property() agent = '';
}
