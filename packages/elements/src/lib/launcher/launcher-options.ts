import { property } from 'lit/decorators.js';
import { ChatOptions } from '../chat/chat-options.ts';
import type { Place, Placement } from './place.ts';

/** What a page says to a launcher, beyond what it says to the chat in it. */
export class LauncherOptions extends ChatOptions {
  /** Whether the panel is open. */
  @property({ type: Boolean, reflect: true, attribute: 'open' }) opened = false;

  /**
   * The corner in which the bubble stands until the user moves it: `bottom-end` (default),
   * `bottom-start`, `top-end` or `top-start`, by the direction of the page's text.
   */
  @property({ reflect: true }) placement: Placement = 'bottom-end';

  /**
   * Pixels between the bubble and the side of the window, in place of
   * `--inlay-launcher-offset-inline`.
   */
  @property({ type: Number, attribute: 'offset-inline' }) offsetInline: number | null = null;

  /**
   * Pixels between the bubble and the top or bottom of the window, in place of
   * `--inlay-launcher-offset-block`.
   */
  @property({ type: Number, attribute: 'offset-block' }) offsetBlock: number | null = null;

  /**
   * Where the user has put the bubble, or where it is to go without them: a `side`, `start` or
   * `end`, and how far `up`, from 0 to 1. Null is the corner of `placement`.
   */
  @property({ attribute: false }) place: Place | null = null;

  /** Keeps the bubble where it is: it can't be dragged, nor moved by keys. */
  @property({ type: Boolean, attribute: 'no-drag' }) noDrag = false;

  /** Shows no bubble and no teaser, for pages that call `open()` from a button of their own. */
  @property({ type: Boolean, reflect: true, attribute: 'no-bubble' }) noBubble = false;

  /**
   * A message beside the bubble that invites to a chat. It comes once in a visit, and not when the
   * panel was opened or closed before. Pressing it opens the panel.
   */
  @property() teaser = '';

  /** After how many seconds the teaser comes. */
  @property({ type: Number, attribute: 'teaser-delay' }) teaserDelay = 4;

  /** Plays a short chime for an answer that comes while the panel is closed. */
  @property({ type: Boolean }) sound = false;

  /**
   * Sets apart what two launchers remember that have the same `base-url` and the same key or
   * `token-url`. Otherwise not needed: the token or key decides which agent answers.
   */
  @property() agent = '';
}
