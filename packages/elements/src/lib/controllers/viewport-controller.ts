import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** A part of the window, in pixels from its top. */
export interface Visible {
  readonly top: number;
  readonly height: number;
}

/** Pixels that a window can lose to something else than a keyboard: rounding, a toolbar on its way. */
const least = 40;

/**
 * Tells whether a panel covers the window, and how much of the window an on-screen keyboard
 * leaves. Asks for an update when either changed.
 */
export class ViewportController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #question: string;
  #abort: AbortController | null = null;

  /** `question`: the media query under which the panel covers the window. */
  constructor(host: ReactiveControllerHost, question: string) {
    this.#host = host;
    this.#question = question;
    host.addController(this);
  }

  get covers(): boolean {
    return matchMedia(this.#question).matches;
  }

  /**
   * What a keyboard leaves of the window; null where there is none. Without a keyboard the window is
   * the measure: iOS 26 goes on telling of a shift when the keyboard is gone.
   */
  get besideKeyboard(): Visible | null {
    const viewport = window.visualViewport;
    if (!viewport) return null;
    // Somebody who has zoomed in sees less of the panel; that is no reason to make it smaller.
    const height = viewport.height * viewport.scale;
    if (window.innerHeight - height < least) return null;
    return { top: viewport.scale > 1.01 ? 0 : viewport.offsetTop, height };
  }

  hostConnected() {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const update = () => this.#host.requestUpdate();
    matchMedia(this.#question).addEventListener('change', update, { signal });
    window.addEventListener('resize', update, { signal });
    window.visualViewport?.addEventListener('resize', update, { signal });
    window.visualViewport?.addEventListener('scroll', update, { signal });
  }

  hostDisconnected() {
    this.#abort?.abort();
    this.#abort = null;
  }
}
