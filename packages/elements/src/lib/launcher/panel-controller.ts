import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { InlayChat } from '../chat/chat.ts';
import { focusedElement } from './focused-element.ts';
import { setPixels, zoomOf } from './place.ts';
import { lockScroll } from './scroll-lock.ts';
import { ViewportController } from './viewport-controller.ts';
import { coveringQuery } from './visit.ts';

export interface PanelOptions {
  readonly isOpen: () => boolean;
  readonly chat: () => InlayChat | null;
  /** Element that receives focus if the previously focused one was removed. */
  readonly bubble: () => HTMLElement | null;
  readonly close: () => void;
}

/**
 * Shows the panel as a dialog: non-modal beside the page, or modal over the page in a small window,
 * with scrolling locked and space left for an on-screen keyboard. Moves focus in and restores it.
 */
export class PanelController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: PanelOptions;
  readonly #viewport: ViewportController;
  #unlock: (() => void) | null = null;
  #panel: HTMLDialogElement | null = null;
  /** Whether focus has to move into the panel, because the user or the page opened it. */
  #shouldTakeFocus = false;
  /** Element that had focus before the panel was opened. */
  #opener: HTMLElement | null = null;

  constructor(host: ReactiveControllerHost, options: PanelOptions) {
    this.#host = host;
    this.#options = options;
    this.#viewport = new ViewportController(host, coveringQuery);
    host.addController(this);
  }

  /** Whether the open panel covers the page. */
  get covers(): boolean {
    return this.#viewport.covers;
  }

  /** Prepares to move focus into the panel when it opens. */
  enter(): void {
    this.#opener = focusedElement();
    this.#shouldTakeFocus = true;
  }

  /** Restores the previous focus if focus is in the panel, which is about to close. */
  leave(panel: HTMLDialogElement | null): void {
    if (!panel?.matches(':focus-within, :modal')) return;
    void this.#host.updateComplete.then(() => this.#restoreFocus());
  }

  /**
   * Applies the state to the dialog after each update.
   *
   * @param layer The element that contains the bubble and the dialog.
   */
  show(panel: HTMLDialogElement, layer: HTMLElement): void {
    this.#panel = panel;
    const { besideKeyboard, covers } = this.#viewport;
    const isOpen = this.#options.isOpen();
    const zoom = zoomOf(layer);
    layer.toggleAttribute('data-covers', covers);
    setPixels(panel, '--viewport-top', besideKeyboard && besideKeyboard.top / zoom);
    setPixels(panel, '--viewport-height', besideKeyboard && besideKeyboard.height / zoom);
    panel.toggleAttribute('data-keyboard', besideKeyboard !== null);

    // While it leaves, the panel is still displayed.
    panel.inert = !isOpen;
    const modal = isOpen && covers;
    if (modal !== panel.matches(':modal')) this.#setModal(panel, modal);
    // Not `show()`, which would move focus even if the panel was opened by an attribute.
    panel.toggleAttribute('open', isOpen);

    if (modal) this.#unlock ??= lockScroll();
    else this.#releaseScroll();
    if (isOpen && this.#shouldTakeFocus) void this.#takeFocus(panel);
  }

  hostConnected() {
    document.addEventListener('keydown', this.#handlePageKey);
  }

  hostDisconnected() {
    document.removeEventListener('keydown', this.#handlePageKey);
    this.#releaseScroll();
  }

  #releaseScroll() {
    this.#unlock?.();
    this.#unlock = null;
  }

  /** Closes the panel with Escape if it covers the focused element of the page (WCAG 2.2, 2.4.11). */
  readonly #handlePageKey = ({ key, defaultPrevented }: KeyboardEvent) => {
    const focused = document.activeElement;
    if (key !== 'Escape' || defaultPrevented || !this.#options.isOpen()) return;
    if (!focused || focused === document.body || !this.#panel) return;
    const focusedBox = focused.getBoundingClientRect();
    const panelBox = this.#panel.getBoundingClientRect();
    const isCovered =
      focusedBox.left < panelBox.right &&
      panelBox.left < focusedBox.right &&
      focusedBox.top < panelBox.bottom &&
      panelBox.top < focusedBox.bottom;
    if (isCovered) this.#options.close();
  };

  /** Switches between modal (the panel covers the page) and non-modal. */
  #setModal(panel: HTMLDialogElement, modal: boolean) {
    // Rotating a phone must not remove focus from the text field.
    const focused = this.#options.chat()?.shadowRoot?.activeElement;
    panel.close();
    // Set only during `showModal()`, which would focus a button otherwise. A permanent `autofocus`
    // would also act on page load.
    panel.autofocus = true;
    if (modal) panel.showModal();
    panel.autofocus = false;
    if (this.#options.isOpen() && focused instanceof HTMLElement) {
      focused.focus({ preventScroll: true });
    }
  }

  async #takeFocus(panel: HTMLDialogElement) {
    this.#shouldTakeFocus = false;
    const chat = this.#options.chat();
    await chat?.updateComplete;
    if (!this.#options.isOpen()) return;
    // On a touch screen, focusing the composer would open the keyboard over the conversation.
    if (matchMedia('(pointer: coarse)').matches) panel.focus({ preventScroll: true });
    else chat?.focusComposer();
  }

  #restoreFocus() {
    if (this.#options.isOpen()) return;
    const opener = this.#opener;
    this.#opener = null;
    if (opener?.isConnected) opener.focus({ preventScroll: true });
    if (!opener || focusedElement() !== opener) {
      this.#options.bubble()?.focus({ preventScroll: true });
    }
  }
}
