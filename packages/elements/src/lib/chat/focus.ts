import type { LitElement, ReactiveController } from 'lit';
import { firstFocusable } from '../first-focusable.ts';

/**
 * Selector of the element in which the user writes: the composer, or, until the user has consented, the
 * consent form.
 */
export const fieldSelector = 'inlay-composer, inlay-consent';

/** Returns the element in which the user writes. */
export function fieldOf({ renderRoot }: LitElement): HTMLElement | null {
  return renderRoot.querySelector<HTMLElement>(fieldSelector);
}

/** Moves focus to an element inside a host after its next update. */
export async function moveFocus(host: LitElement, selector: string): Promise<void> {
  await host.updateComplete;
  host.renderRoot.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
}

/** Moves focus to the next area of the chat: title bar, list of conversations, messages, text field. */
export function focusNextArea({ renderRoot }: LitElement, backwards: boolean): void {
  const selectors = ['header', 'inlay-conversation-list', 'inlay-message-list', fieldSelector];
  const areas = selectors.flatMap(
    (selector) => renderRoot.querySelector<HTMLElement>(selector) ?? [],
  );
  if (backwards) areas.reverse();
  const current = areas.findIndex((area) => area.matches(':focus-within'));
  for (const area of [...areas.slice(current + 1), ...areas.slice(0, Math.max(current, 0))]) {
    (area.matches(fieldSelector) ? area : firstFocusable(area))?.focus();
    if (area.matches(':focus-within')) return;
  }
}

/**
 * Restores focus when the focused element is removed, hidden or disabled, such as a button that was
 * pressed. The browser would move focus to the body, and keyboard users would start again at the top
 * of the page.
 */
export class LostFocusController implements ReactiveController {
  readonly #host: LitElement;
  #frame = 0;
  /** The element that last had focus. */
  #last: Element | null = null;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    // Focus is read on input events, because `focusin` does not leave a nested shadow tree if focus moves
    // within that tree.
    for (const type of ['keydown', 'click'])
      this.#host.addEventListener(type, this.#trackFocus, true);
  }

  hostDisconnected() {
    for (const type of ['keydown', 'click'])
      this.#host.removeEventListener(type, this.#trackFocus, true);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#last = null;
  }

  hostUpdate() {
    this.#trackFocus();
  }

  readonly #trackFocus = () => {
    this.#last = focusedIn(this.#host) ?? this.#last;
    // Nested elements have rendered by the next frame.
    if (this.#last && !this.#frame) this.#frame = requestAnimationFrame(this.#checkFocus);
  };

  readonly #checkFocus = () => {
    this.#frame = 0;
    const last = this.#last;
    if (!last) return;
    if (!isFocusable(last)) {
      this.#last = null;
      if (isFocusLost(last)) void this.#restore(last);
    } else if (!hasFocus(last)) {
      // Focus moved elsewhere, or the user clicked outside to remove it.
      this.#last = null;
    }
  };

  async #restore(lost: Element) {
    const field = fieldOf(this.#host);
    // On a touch screen, focusing a text field would open the keyboard over the conversation.
    const isText = field?.localName === 'inlay-composer';
    if (!field || (isText && matchMedia('(pointer: coarse)').matches)) return;
    await customElements.whenDefined(field.localName);
    await this.#host.updateComplete;
    if (!isFocusLost(lost)) return;
    field.focus({ preventScroll: true });
    // Without access and without a draft, the composer hides its text field.
    if (isFocusLost(lost)) this.#host.renderRoot.querySelector('inlay-message-list')?.focus();
  }
}

/** The innermost focused element within the host; null if there is none. */
function focusedIn(host: Element): Element | null {
  let found: Element | null = null;
  for (
    let element = host.shadowRoot?.activeElement;
    element;
    element = element.shadowRoot?.activeElement
  )
    found = element;
  return found;
}

function isFocusable(element: Element): boolean {
  return (
    element.isConnected &&
    !element.matches(':disabled, [inert] *') &&
    element.checkVisibility({ visibilityProperty: true })
  );
}

function hasFocus(element: Element): boolean {
  const root = element.getRootNode();
  return root instanceof ShadowRoot && root.activeElement === element;
}

/** Whether focus is lost. A disabled element stays `activeElement` until the next frame. */
function isFocusLost(lost: Element): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body || hasFocus(lost);
}

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
    // A move removes and inserts the element in the same task. After that task, the focus is not restored.
    setTimeout(() => this.#forgetLostFocus());
  }

  readonly #handleFocusIn = (event: Event) => {
    const [target] = event.composedPath();
    if (target instanceof HTMLElement) this.#focused = target;
  };

  /** Some engines dispatch `focusout` during the removal; a microtask later the move is complete. */
  readonly #handleFocusOut = () => queueMicrotask(() => this.#forgetLostFocus());

  /** Forgets the focused element if focus has left the host, or if the host was removed. */
  #forgetLostFocus() {
    if (!this.#host.matches(':focus-within')) this.#focused = null;
  }
}
