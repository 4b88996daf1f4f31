import type { LitElement } from 'lit';
import { moveFocus } from './focus.ts';

/** Opens and closes the list of conversations and the menu, and moves focus with them. */
export class Panels {
  readonly #host: LitElement;
  conversationListOpen = false;
  /** Whether the closed list fades out. Its content does not change meanwhile. */
  conversationListLeaving = false;
  menuOpen = false;
  /** Ids of the conversations that the user left while the agent was answering. */
  readonly unfinished = new Set<string>();

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** @param next - Selector of the element that gets focus when the list is closed. */
  showConversationList(open: boolean, next = '.conversations-button'): void {
    if (open === this.conversationListOpen) return;
    this.conversationListOpen = open;
    void this.#fade(open);
    this.#host.requestUpdate();
    // An opened list moves focus to itself.
    if (!open) void moveFocus(this.#host, next);
    // The list can cover the button that stops dictation.
    else this.#host.renderRoot.querySelector('inlay-composer')?.stopDictation();
  }

  async #fade(open: boolean): Promise<void> {
    const list = this.#list;
    if (!list) return;
    list.inert = this.conversationListLeaving = !open;
    await Promise.allSettled(list.getAnimations().map(({ finished }) => finished));
    this.conversationListLeaving = false;
    this.#host.requestUpdate();
  }

  get #list() {
    return this.#host.renderRoot.querySelector('inlay-conversation-list');
  }

  /** Closes the list if it covers the conversation. A list beside the conversation stays open. */
  hideCoveringConversationList(next?: string): void {
    const list = this.#list;
    if (list && getComputedStyle(list).position === 'absolute')
      this.showConversationList(false, next);
  }

  showMenu(open: boolean): void {
    if (open === this.menuOpen) return;
    // If the user clicked elsewhere, focus has moved already.
    const isIn = this.#host.renderRoot.querySelector('inlay-menu')?.matches(':focus-within');
    this.menuOpen = open;
    this.#host.requestUpdate();
    if (!open && isIn) void moveFocus(this.#host, '.menu-button');
  }

  /** Closes both panels without moving focus, because the user changed. */
  forget(): void {
    this.conversationListOpen = false;
    this.conversationListLeaving = false;
    this.menuOpen = false;
    this.unfinished.clear();
    this.#host.requestUpdate();
  }
}
