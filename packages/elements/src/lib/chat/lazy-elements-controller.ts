import type { LitElement, ReactiveController } from 'lit';
import { afterPaint } from '../controllers/after-paint.ts';
import { loadElement, onElementLoad } from '../lazy-elements.ts';

/** Loads the message list after the composer is painted. Requests an update when an element loads or fails. */
export class LazyElementsController implements ReactiveController {
  readonly #host: LitElement;
  #unsubscribe: (() => void) | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    this.#unsubscribe = onElementLoad(() => this.#host.requestUpdate());
    // Loaded after the composer is painted, in parallel with the first token request.
    void this.#host.updateComplete.then(afterPaint).then(() => loadElement('inlay-message-list'));
  }

  hostDisconnected() {
    this.#unsubscribe?.();
  }
}
