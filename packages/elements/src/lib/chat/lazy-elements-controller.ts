import type { LitElement, ReactiveController } from 'lit';
import { afterPaint } from '../controllers/after-paint.ts';
import {
  loadElement,
  onElementLoad,
  retryFailedElements,
  someElementFailed,
} from '../lazy-elements.ts';

/** Loads the message list after the composer is painted, and tracks elements that failed to load. */
export class LazyElementsController implements ReactiveController {
  readonly #host: LitElement;
  #unsubscribe: (() => void) | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** Whether the chunk of an element could not be loaded. */
  get failed(): boolean {
    return someElementFailed();
  }

  retry(): void {
    retryFailedElements();
  }

  hostConnected() {
    this.#unsubscribe = onElementLoad(() => this.#host.requestUpdate());
    // After the paint that shows the composer. The client requests its first token at the same time.
    void this.#host.updateComplete.then(afterPaint).then(() => loadElement('inlay-message-list'));
  }

  hostDisconnected() {
    this.#unsubscribe?.();
  }
}
