import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Tells whether a panel covers the window, and how much of the window an on-screen keyboard
 * leaves. Asks for an update when either changed.
 */
export class ViewportController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #query: MediaQueryList;
  #abort: AbortController | null = null;

  /** `query`: the media query under which the panel covers the window. */
  constructor(host: ReactiveControllerHost, query: string) {
    this.#host = host;
    this.#query = matchMedia(query);
    host.addController(this);
  }

  get covers(): boolean {
    return this.#query.matches;
  }

  /** The visible part of the window, in pixels. */
  get visible(): { readonly top: number; readonly height: number } {
    const viewport = window.visualViewport;
    return { top: viewport?.offsetTop ?? 0, height: viewport?.height ?? window.innerHeight };
  }

  hostConnected() {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const update = () => this.#host.requestUpdate();
    this.#query.addEventListener('change', update, { signal });
    window.visualViewport?.addEventListener('resize', update, { signal });
    window.visualViewport?.addEventListener('scroll', update, { signal });
  }

  hostDisconnected() {
    this.#abort?.abort();
    this.#abort = null;
  }
}
