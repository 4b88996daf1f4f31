import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { schemeFor } from './scheme.ts';

/**
 * Keeps what an element draws light or dark as the page is. Pages switch by an attribute of `html`
 * or `body`, which fires nothing: it asks for an update where such a change matters.
 */
export class SchemeController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  #observer: MutationObserver | null = null;
  #wanted = 'auto';
  /** What is written; null where it has to be found out, which costs the browser a look at styles. */
  #written: string | null = null;
  /** What the page says; null once it was used. */
  #page: string | null = null;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** Writes `light`, `dark` or `auto` on what is drawn. */
  write(drawn: HTMLElement, wanted: string): void {
    if (this.#written !== null && this.#wanted === wanted) return;
    this.#wanted = wanted;
    const auto = this.#page ?? schemeFor(this.#host);
    this.#page = null;
    this.#written = wanted && wanted !== 'auto' ? wanted : auto;
    drawn.style.setProperty('color-scheme', this.#written);
  }

  /** Looks before anything is drawn: later the browser would work out the styles of it all twice. */
  hostUpdate() {
    if (this.#written === null) this.#page = schemeFor(this.#host);
  }

  hostConnected() {
    this.#observer = new MutationObserver(() => {
      if (schemeFor(this.#host, this.#wanted || 'auto') !== this.#written) this.#ask();
    });
    for (const element of [document.documentElement, document.body]) {
      if (element) this.#observer.observe(element, { attributes: true });
    }
    // It may have been moved into another part of the page.
    this.#ask();
  }

  hostDisconnected() {
    this.#observer?.disconnect();
    this.#observer = null;
  }

  #ask() {
    this.#written = null;
    this.#host.requestUpdate();
  }
}
