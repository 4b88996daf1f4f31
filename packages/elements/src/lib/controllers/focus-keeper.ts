import type { LitElement, ReactiveController } from 'lit';

/**
 * Leaves the focus where it is when the page moves an element to another place. A browser takes it
 * away, because a move is a removal and an insertion.
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
    // What comes back in a later task is not moved, and takes no focus.
    setTimeout(() => this.#look());
  }

  readonly #handleFocusIn = (event: Event) => {
    const [target] = event.composedPath();
    if (target instanceof HTMLElement) this.#focused = target;
  };

  /** Some engines tell of this while they remove the element. The move is over in a moment. */
  readonly #handleFocusOut = () => queueMicrotask(() => this.#look());

  #look() {
    if (!this.#host.matches(':focus-within')) this.#focused = null;
  }
}
