import { html, type LitElement, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { Actions } from './actions.ts';

interface Form {
  readonly heading: string;
  /** The fields, which are read with `FormData`. */
  readonly fields: TemplateResult;
  /** Label of the button that submits the form. */
  readonly submit: string;
  /** Sends the form. If it rejects, the form stays, with the error. */
  readonly action: (data: FormData) => Promise<void>;
}

interface Secret {
  readonly heading: string;
  /** Label of the secret. */
  readonly label: string;
  readonly secret: string;
  readonly hint: string;
}

/** The modal dialog of a page: a form, or a secret that is shown once. */
export class Dialog implements ReactiveController {
  readonly #host: LitElement;
  /** The content. A function, so that errors and states are rendered with each update. */
  #content: { readonly heading: string; readonly view: () => TemplateResult } | null = null;
  #opener: Element | null = null;
  #copyStatus = '';

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdated() {
    this.#host.querySelector<HTMLDialogElement>('dialog:not([open])')?.showModal();
  }

  /** Shows a form. */
  form({ heading, fields, submit, action }: Form): void {
    const actions = new Actions(this.#host);
    this.#show(
      heading,
      () => html`
        <form
          @submit=${(event: SubmitEvent) => {
            event.preventDefault();
            const data = new FormData(event.target as HTMLFormElement);
            void actions.perform(null, () => action(data));
          }}
        >
          ${fields}${actions.viewOfError()}
          <div class="actions">
            <button type="button" @click=${() => this.close()}>Cancel</button>
            <button class="primary" ?disabled=${actions.isBusy}>${submit}</button>
          </div>
        </form>
      `,
    );
  }

  /** Shows a secret, with a button that copies it. */
  secret({ heading, label, secret, hint }: Secret): void {
    this.#copyStatus = '';
    this.#show(
      heading,
      () => html`
        <p>${hint}</p>
        <label>
          ${label}
          <textarea
            class="secret"
            rows="2"
            readonly
            autofocus
            spellcheck="false"
            .value=${secret}
            @focus=${(event: FocusEvent) => (event.target as HTMLTextAreaElement).select()}
          ></textarea>
        </label>
        <div class="actions">
          <span role="status">${this.#copyStatus}</span>
          <button @click=${() => this.#copy(secret)}>Copy</button>
          <button class="primary" @click=${() => this.close()}>Done</button>
        </div>
      `,
    );
  }

  /** Closes the dialog, and returns the focus to the element that opened it. */
  close(): void {
    this.#host.querySelector('dialog')?.close();
  }

  view() {
    const content = this.#content;
    if (content === null) return nothing;
    // The console and its lists handle Escape and letters.
    const stop = (event: KeyboardEvent) => event.stopPropagation();
    return keyed(
      content,
      html`<dialog aria-labelledby="dialog-heading" @close=${this.#handleClose} @keydown=${stop}>
        <h2 id="dialog-heading">${content.heading}</h2>
        ${content.view()}
      </dialog>`,
    );
  }

  #show(heading: string, view: () => TemplateResult): void {
    if (this.#content === null) this.#opener = document.activeElement;
    this.#content = { heading, view };
    this.#host.requestUpdate();
  }

  readonly #handleClose = () => {
    this.#content = null;
    this.#host.requestUpdate();
    if (this.#opener instanceof HTMLElement) this.#opener.focus();
  };

  async #copy(secret: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(secret);
      this.#copyStatus = 'Copied';
    } catch {
      // Without HTTPS, pages have no access to the clipboard.
      this.#host.querySelector<HTMLElement>('dialog .secret')?.focus();
      this.#copyStatus = 'Press Ctrl+C or ⌘C';
    }
    this.#host.requestUpdate();
  }
}
