import type { LitElement, ReactiveController } from 'lit';

/**
 * What has the focus may go: a button that was pressed, the field that a question takes the place
 * of. Then the browser leaves the focus nowhere, and who goes by keys begins at the top of the page.
 * This sees it, and puts the focus where the person goes on.
 */
export class LostFocusController implements ReactiveController {
  readonly #host: LitElement;
  readonly #field: () => HTMLElement | null;
  #frame = 0;
  /** What had the focus when it was looked last. */
  #last: Element | null = null;

  /** @param field - Where the person goes on. */
  constructor(host: LitElement, field: () => HTMLElement | null) {
    this.#host = host;
    this.#field = field;
    host.addController(this);
  }

  hostConnected() {
    // Events of the focus itself do not leave the shadow tree that it moves in.
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
    // By the next frame, what is inside has followed.
    if (this.#last && !this.#frame) this.#frame = requestAnimationFrame(this.#look);
  };

  readonly #look = () => {
    this.#frame = 0;
    const last = this.#last;
    if (!last) return;
    if (!isThere(last)) {
      this.#last = null;
      if (isNowhere(last)) void this.#restore(last);
    } else if (!hasFocus(last)) {
      // It went elsewhere, or a press beside everything took it away on purpose.
      this.#last = null;
    }
  };

  async #restore(lost: Element) {
    const field = this.#field();
    // On a touch screen, a text field would bring the keyboard up over what there is to read.
    const isText = field?.localName === 'inlay-composer';
    if (!field || (isText && matchMedia('(pointer: coarse)').matches)) return;
    await customElements.whenDefined(field.localName);
    await this.#host.updateComplete;
    if (isNowhere(lost)) field.focus({ preventScroll: true });
  }
}

/** The innermost element with the focus; null where it is not inside. */
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

/** Whether nothing has the focus: what is switched off keeps it until the next frame. */
function isNowhere(lost: Element): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body || hasFocus(lost);
}
