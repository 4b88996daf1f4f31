import type { LitElement, ReactiveController } from 'lit';

/**
 * Restores focus after the page has moved the element. The browser removes focus, because moving an
 * element removes and inserts it.
 */
export class FocusKeeper implements ReactiveController {
  readonly #host: LitElement;
  #focused: HTMLElement | null = null;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    const { renderRoot } = this.#host;
    renderRoot.addEventListener('focusin', this.#handleFocusIn);
    renderRoot.addEventListener('focusout', this.#handleFocusOut);
    this.#focused?.focus({ preventScroll: true });
  }

  hostDisconnected() {
    // An element that is inserted again in a later task was not moved and gets no focus.
    setTimeout(() => this.#restoreFocus());
  }

  readonly #handleFocusIn = (event: Event) => {
    const [target] = event.composedPath();
    if (target instanceof HTMLElement) this.#focused = target;
  };

  /** Some engines dispatch `focusout` during the removal; a microtask later the move is complete. */
  readonly #handleFocusOut = () => queueMicrotask(() => this.#restoreFocus());

  #restoreFocus() {
    if (!this.#host.matches(':focus-within')) this.#focused = null;
  }
}
