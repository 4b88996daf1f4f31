import { html, nothing } from 'lit';

/** Performs the actions of an element, and shows the error of the last one. */
export class Actions {
  readonly #host: { requestUpdate(): void };
  #error = '';
  #isBusy = false;

  /** @param host Element that is updated when an action begins and ends. */
  constructor(host: { requestUpdate(): void }) {
    this.#host = host;
  }

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

  viewOfError() {
    return this.#error ? html`<p class="error" role="alert">${this.#error}</p>` : nothing;
  }

  #set(error: string, isBusy: boolean) {
    this.#error = error;
    this.#isBusy = isBusy;
    this.#host.requestUpdate();
  }
}
