import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { schemeFor } from './scheme.ts';

/**
 * Keeps what an element draws light or dark as the page is. Pages switch by an attribute of `html`
 * or `body`, which fires nothing: it asks for an update where such a change matters.
 */
export class SchemeController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  #observer: MutationObserver | null = null;
  #written = '';
  #wanted = '';

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** Writes `light`, `dark` or `auto` on what is drawn. */
  write(drawn: HTMLElement, wanted: string): void {
    this.#wanted = wanted;
    this.#written = schemeFor(this.#host, wanted);
    drawn.style.setProperty('color-scheme', this.#written);
  }

  hostConnected() {
    const look = () => {
      if (schemeFor(this.#host, this.#wanted) !== this.#written) this.#host.requestUpdate();
    };
    this.#observer = new MutationObserver(look);
    // It may have been moved into another part of the page.
    look();
    for (const element of [document.documentElement, document.body]) {
      if (element) this.#observer.observe(element, { attributes: true });
    }
  }

  hostDisconnected() {
    this.#observer?.disconnect();
    this.#observer = null;
  }
}
