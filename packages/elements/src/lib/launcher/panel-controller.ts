import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { InlayChat } from '../chat/chat.ts';
import { ViewportController } from '../controllers/viewport-controller.ts';
import { focusedElement } from './focused.ts';
import { setPixels, zoomOf } from './place.ts';
import { lockScroll } from './scroll-lock.ts';
import { covering } from './visit.ts';

export interface PanelOptions {
  readonly opened: () => boolean;
  readonly chat: () => InlayChat | null;
  /** What gets the focus where the one that had it is gone. */
  readonly bubble: () => HTMLElement | null;
}

/**
 * Shows the panel: beside the page, or over all of it in a small window, where the page is held
 * still and an on-screen keyboard is made room for. Takes the focus in, and gives it back.
 */
export class PanelController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: PanelOptions;
  readonly #viewport: ViewportController;
  #unlock: (() => void) | null = null;
  /** Whether the panel was opened by someone, and takes the focus. */
  #wantsFocus = false;
  /** What had the focus before the panel took it. */
  #opener: HTMLElement | null = null;

  constructor(host: ReactiveControllerHost, options: PanelOptions) {
    this.#host = host;
    this.#options = options;
    this.#viewport = new ViewportController(host, covering);
    host.addController(this);
  }

  /** Whether the panel, where it is open, covers the page. */
  get covers(): boolean {
    return this.#viewport.covers;
  }

  /** Somebody opens the panel: the focus is to go into it. */
  enter(): void {
    this.#opener = focusedElement();
    this.#wantsFocus = true;
  }

  /** The panel is about to close. The focus, if it is in there, goes back to where it came from. */
  leave(panel: HTMLDialogElement | null): void {
    if (!panel?.matches(':focus-within, :modal')) return;
    void this.#host.updateComplete.then(() => this.#giveBackFocus());
  }

  /** Brings the panel to where it belongs, after each update. */
  show(panel: HTMLDialogElement, layer: HTMLElement): void {
    const { besideKeyboard, covers } = this.#viewport;
    const opened = this.#options.opened();
    const zoom = zoomOf(layer);
    layer.toggleAttribute('data-covers', covers);
    setPixels(panel, '--viewport-top', besideKeyboard && besideKeyboard.top / zoom);
    setPixels(panel, '--viewport-height', besideKeyboard && besideKeyboard.height / zoom);
    panel.toggleAttribute('data-keyboard', besideKeyboard !== null);

    const modal = opened && covers;
    if (modal !== panel.matches(':modal')) this.#turn(panel, modal);
    // Not `show()`, which takes the focus also when the page opened the panel by itself.
    panel.toggleAttribute('open', opened);

    if (modal) this.#unlock ??= lockScroll();
    else this.hostDisconnected();
    if (opened && this.#wantsFocus) void this.#takeFocus(panel);
  }

  /** What it holds of the page is let go. */
  hostDisconnected() {
    this.#unlock?.();
    this.#unlock = null;
  }

  /** A panel that covers the page is modal; one beside it leaves the page usable. */
  #turn(panel: HTMLDialogElement, modal: boolean) {
    // A phone that is turned must not take the field away from someone who writes.
    const focused = this.#options.chat()?.shadowRoot?.activeElement;
    panel.close();
    // Only for this call, which would look for a button: one in a page takes the focus on its load.
    panel.autofocus = true;
    if (modal) panel.showModal();
    panel.autofocus = false;
    if (this.#options.opened() && focused instanceof HTMLElement) {
      focused.focus({ preventScroll: true });
    }
  }

  async #takeFocus(panel: HTMLDialogElement) {
    this.#wantsFocus = false;
    const chat = this.#options.chat();
    await chat?.updateComplete;
    if (!this.#options.opened()) return;
    // On a touch screen the composer would bring the keyboard up over what there is to read.
    if (matchMedia('(pointer: coarse)').matches) panel.focus({ preventScroll: true });
    else chat?.focusComposer();
  }

  #giveBackFocus() {
    if (this.#options.opened()) return;
    const opener = this.#opener;
    this.#opener = null;
    if (opener?.isConnected) opener.focus({ preventScroll: true });
    if (!opener || focusedElement() !== opener) {
      this.#options.bubble()?.focus({ preventScroll: true });
    }
  }
}
