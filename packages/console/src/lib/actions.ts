import { html, nothing, type ReactiveController, type ReactiveControllerHost } from 'lit';

/** Performs the actions of a page, and shows the error of the last one. */
export class Actions implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #error = '';
  #isBusy = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  // The interface requires one of its members.
  hostConnected() {}

  /** Whether an action is being performed. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /**
   * Performs an action, and shows its error.
   *
   * @param question Asked before; null for none.
   */
  async perform(question: string | null, action: () => Promise<void>): Promise<void> {
    if (question !== null && !confirm(question)) return;
    this.#set('', true);
    try {
      await action();
      this.#set('', false);
    } catch (error) {
      this.#set((error as Error).message, false);
    }
  }

  /** Removes the error. */
  clear(): void {
    this.#set('', false);
  }

  viewOfError() {
    return this.#error ? html`<p class="error" role="alert">${this.#error}</p>` : nothing;
  }

  #set(error: string, isBusy: boolean) {
    this.#error = error;
    this.#isBusy = isBusy;
    this.#host.requestUpdate();
  }
}
