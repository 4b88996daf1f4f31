import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { schemeFor } from './scheme.ts';

/**
 * Sets the `color-scheme` of an element's content, and updates it when the page's scheme changes.
 * Pages switch their scheme by an attribute of `html` or `body`, for which there is no event.
 */
export class SchemeController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  #observer: MutationObserver | null = null;
  #requested = 'auto';
  /** The applied value; null if it has to be determined again, which makes the browser compute styles. */
  #applied: string | null = null;
  /** The page's scheme, read before rendering and not yet applied. */
  #pageScheme: string | null = null;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /**
   * Applies a colour scheme to the content.
   *
   * @param scheme - `light`, `dark`, or `auto` for the page's scheme.
   */
  apply(content: HTMLElement, scheme: string): void {
    if (this.#applied !== null && this.#requested === scheme) return;
    this.#requested = scheme;
    const auto = this.#pageScheme ?? schemeFor(this.#host);
    this.#pageScheme = null;
    this.#applied = scheme && scheme !== 'auto' ? scheme : auto;
    content.style.setProperty('color-scheme', this.#applied);
  }

  /**
   * Reads the page's scheme before rendering. After rendering, the browser would compute all styles
   * twice.
   */
  hostUpdate() {
    if (this.#applied === null) this.#pageScheme = schemeFor(this.#host);
  }

  hostConnected() {
    this.#observer = new MutationObserver(() => {
      if (schemeFor(this.#host, this.#requested || 'auto') !== this.#applied) this.#reset();
    });
    for (const element of [document.documentElement, document.body]) {
      if (element) this.#observer.observe(element, { attributes: true });
    }
    // The host may have moved to a part of the page with another scheme.
    this.#reset();
  }

  hostDisconnected() {
    this.#observer?.disconnect();
    this.#observer = null;
  }

  #reset() {
    this.#applied = null;
    this.#host.requestUpdate();
  }
}
