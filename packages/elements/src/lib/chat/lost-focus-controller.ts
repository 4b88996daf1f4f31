import type { LitElement, ReactiveController } from 'lit';

/**
 * Restores focus when the focused element is removed, hidden or disabled, such as a button that was
 * pressed. The browser would move focus to the body, and keyboard users would start again at the top
 * of the page.
 */
export class LostFocusController implements ReactiveController {
  readonly #host: LitElement;
  readonly #field: () => HTMLElement | null;
  #frame = 0;
  /** The element that last had focus. */
  #last: Element | null = null;

  /** @param field - Returns the element to move focus to. */
  constructor(host: LitElement, field: () => HTMLElement | null) {
    this.#host = host;
    this.#field = field;
    host.addController(this);
  }

  hostConnected() {
    // Focus events do not leave the shadow tree if focus moves within it.
    for (const type of ['keydown', 'click']) this.#host.addEventListener(type, this.#note, true);
  }

  hostDisconnected() {
    for (const type of ['keydown', 'click']) this.#host.removeEventListener(type, this.#note, true);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#last = null;
  }

  hostUpdate() {
    this.#note();
  }

  readonly #note = () => {
    this.#last = focusedIn(this.#host) ?? this.#last;
    // Nested elements have rendered by the next frame.
    if (this.#last && !this.#frame) this.#frame = requestAnimationFrame(this.#handleFocusOut);
  };

  readonly #handleFocusOut = () => {
    this.#frame = 0;
    const last = this.#last;
    if (!last) return;
    if (!isThere(last)) {
      this.#last = null;
      if (isNowhere(last)) void this.#restore(last);
    } else if (!hasFocus(last)) {
      // Focus moved elsewhere, or the user clicked outside to remove it.
      this.#last = null;
    }
  };

  async #restore(lost: Element) {
    const field = this.#field();
    // On a touch screen, focusing a text field would open the keyboard over the conversation.
    const isText = field?.localName === 'inlay-composer';
    if (!field || (isText && matchMedia('(pointer: coarse)').matches)) return;
    await customElements.whenDefined(field.localName);
    await this.#host.updateComplete;
    if (isNowhere(lost)) field.focus({ preventScroll: true });
  }
}

/** The innermost focused element within the host; null if there is none. */
function focusedIn(host: Element): Element | null {
  let found: Element | null = null;
  for (let at = host.shadowRoot?.activeElement; at; at = at.shadowRoot?.activeElement) found = at;
  return found;
}

function isThere(element: Element): boolean {
  return (
    element.isConnected &&
    !element.matches(':disabled') &&
    element.checkVisibility({ visibilityProperty: true })
  );
}

function hasFocus(element: Element): boolean {
  const root = element.getRootNode();
  return root instanceof ShadowRoot && root.activeElement === element;
}

/** Whether focus is lost. A disabled element stays `activeElement` until the next frame. */
function isNowhere(lost: Element): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body || hasFocus(lost);
}
