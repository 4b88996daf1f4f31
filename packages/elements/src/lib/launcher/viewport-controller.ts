import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Visible part of the window, in CSS pixels from its top. */
export interface VisibleArea {
  readonly top: number;
  readonly height: number;
}

/** Smallest height of a keyboard, in CSS pixels: less can be rounding or a browser toolbar. */
const minKeyboardHeight = 40;

/**
 * Tracks whether a panel covers the window and which part an on-screen keyboard leaves visible.
 * Requests an update when either changes.
 */
export class ViewportController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #coveringQuery: string;
  #abort: AbortController | null = null;

  /** @param query - Media query that matches if the panel covers the window. */
  constructor(host: ReactiveControllerHost, query: string) {
    this.#host = host;
    this.#coveringQuery = query;
    host.addController(this);
  }

  get covers(): boolean {
    return matchMedia(this.#coveringQuery).matches;
  }

  /**
   * The part of the window that the keyboard leaves visible; null without a keyboard. The window's
   * height decides, because iOS 26 still reports an offset after the keyboard has closed.
   */
  get besideKeyboard(): VisibleArea | null {
    const viewport = window.visualViewport;
    if (!viewport) return null;
    // Pinch zoom also shrinks the visual viewport, but must not shrink the panel.
    const height = viewport.height * viewport.scale;
    if (window.innerHeight - height < minKeyboardHeight) return null;
    return { top: viewport.scale > 1.01 ? 0 : viewport.offsetTop, height };
  }

  hostConnected() {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const update = () => this.#host.requestUpdate();
    matchMedia(this.#coveringQuery).addEventListener('change', update, { signal });
    window.addEventListener('resize', update, { signal });
    window.visualViewport?.addEventListener('resize', update, { signal });
    window.visualViewport?.addEventListener('scroll', update, { signal });
  }

  hostDisconnected() {
    this.#abort?.abort();
    this.#abort = null;
  }
}
