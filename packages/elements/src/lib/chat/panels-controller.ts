import type { ReactiveController, ReactiveControllerHost } from 'lit';

type Host = ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment };

/** Opens and closes the list of conversations and the menu, and moves focus with them. */
export class PanelsController implements ReactiveController {
  readonly #host: Host;
  #conversationListOpen = false;
  #menuOpen = false;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  get conversationListOpen(): boolean {
    return this.#conversationListOpen;
  }

  get menuOpen(): boolean {
    return this.#menuOpen;
  }

  hostConnected() {
    // Lit requires a controller method; the panels open on a click only.
  }

  showConversationList(open: boolean): void {
    if (open === this.#conversationListOpen) return;
    this.#conversationListOpen = open;
    this.#host.requestUpdate();
    void this.moveFocus(open ? 'inlay-conversation-list' : '.conversations-button');
  }

  /** Closes the list if it covers the conversation; leaves it open if it is beside it. */
  hideCoveringConversationList(): void {
    const list = this.#host.renderRoot.querySelector('inlay-conversation-list');
    if (list && getComputedStyle(list).position === 'absolute') this.showConversationList(false);
  }

  showMenu(open: boolean): void {
    if (open === this.#menuOpen) return;
    // If the user clicked elsewhere, focus has moved already.
    const isIn = this.#host.renderRoot.querySelector('inlay-menu')?.matches(':focus-within');
    this.#menuOpen = open;
    this.#host.requestUpdate();
    if (!open && isIn) void this.moveFocus('.menu-button');
  }

  /** Closes both panels without moving focus, because the user changed. */
  forget(): void {
    this.#conversationListOpen = false;
    this.#menuOpen = false;
    this.#host.requestUpdate();
  }

  async moveFocus(selector: string): Promise<void> {
    await this.#host.updateComplete;
    const target = this.#host.renderRoot.querySelector<HTMLElement>(selector);
    target?.focus({ preventScroll: true });
  }
}
