import type { ReactiveController, ReactiveControllerHost } from 'lit';

type Host = ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment };

/** The list of conversations and the menu: which is open, and where the focus goes with it. */
export class PanelsController implements ReactiveController {
  readonly #host: Host;
  #threadsOpen = false;
  #menuOpen = false;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  get threadsOpen(): boolean {
    return this.#threadsOpen;
  }

  get menuOpen(): boolean {
    return this.#menuOpen;
  }

  hostConnected() {
    // Nothing to begin: a press opens them.
  }

  showThreads(open: boolean): void {
    if (open === this.#threadsOpen) return;
    this.#threadsOpen = open;
    this.#host.requestUpdate();
    void this.moveFocus(open ? 'inlay-thread-list' : '.threads-button');
  }

  /** Closes the list where it covers the conversation, and leaves it where it stands beside it. */
  leaveThreads(): void {
    const list = this.#host.renderRoot.querySelector('inlay-thread-list');
    if (list && getComputedStyle(list).position === 'absolute') this.showThreads(false);
  }

  showMenu(open: boolean): void {
    if (open === this.#menuOpen) return;
    // Someone who pressed elsewhere is there already.
    const isIn = this.#host.renderRoot.querySelector('inlay-menu')?.matches(':focus-within');
    this.#menuOpen = open;
    this.#host.requestUpdate();
    if (!open && isIn) void this.moveFocus('.menu-button');
  }

  /** Another person: both are closed, and the focus stays where it is. */
  forget(): void {
    this.#threadsOpen = false;
    this.#menuOpen = false;
    this.#host.requestUpdate();
  }

  async moveFocus(selector: string): Promise<void> {
    await this.#host.updateComplete;
    const target = this.#host.renderRoot.querySelector<HTMLElement>(selector);
    target?.focus({ preventScroll: true });
  }
}
