import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How far from the bottom, in pixels, still counts as being there. */
const nearBottom = 48;

/**
 * Keeps a scroller at its bottom while its content grows, as long as the reader is there. Someone
 * who scrolls up to read is left alone until they come back. It moves the scroller alone, never
 * the page around it. Asks for an update when following begins or ends.
 */
export class FollowController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #resize = new ResizeObserver(() => this.#settle());
  #scroller: HTMLElement | null = null;
  #content: HTMLElement | null = null;
  #following = true;
  #lastTop = 0;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Whether the reader is at the bottom. */
  get following(): boolean {
    return this.#following;
  }

  /** What scrolls, and what grows inside it. To be called once, after the first render. */
  attach(scroller: HTMLElement, content: HTMLElement) {
    this.#scroller = scroller;
    this.#content = content;
    this.hostConnected();
  }

  hostConnected() {
    if (!this.#scroller || !this.#content) return;
    this.#scroller.addEventListener('scroll', this.#handleScroll, { passive: true });
    this.#resize.observe(this.#scroller);
    this.#resize.observe(this.#content);
  }

  hostDisconnected() {
    this.#scroller?.removeEventListener('scroll', this.#handleScroll);
    this.#resize.disconnect();
  }

  /** Goes to the bottom and stays there. */
  toBottom() {
    this.#follow(true);
    this.#settle();
  }

  #settle() {
    if (!this.#following || !this.#scroller) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#lastTop = this.#scroller.scrollTop;
  }

  #follow(following: boolean) {
    if (following === this.#following) return;
    this.#following = following;
    this.#host.requestUpdate();
  }

  #handleScroll = () => {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    // Content that grew since our own last move is no reader who left: only moving up is.
    if (scrollHeight - scrollTop - clientHeight <= nearBottom) this.#follow(true);
    else if (scrollTop < this.#lastTop) this.#follow(false);
    this.#lastTop = scrollTop;
  };
}
