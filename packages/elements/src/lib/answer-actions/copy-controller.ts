import type { LitElement, ReactiveController } from 'lit';
import { html } from 'lit';
import { emit } from '../events.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';

/** How long the button shows "copied", in milliseconds. */
const copiedDurationMs = 1600;

export interface CopySource {
  readonly text: string;
  /** Returns the same content as HTML, for rich text editors; null for none. */
  readonly html: (() => Promise<string>) | null;
}

/** Renders a button that copies the content of its host and confirms it. */
export class CopyController implements ReactiveController {
  readonly #host: LitElement & { readonly strings: Strings };
  readonly #source: () => CopySource;
  #copied = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: LitElement & { readonly strings: Strings }, source: () => CopySource) {
    this.#host = host;
    this.#source = source;
    host.addController(this);
  }

  hostDisconnected() {
    this.#set(false);
  }

  render(label: string) {
    const { copied } = this.#host.strings;
    const currentLabel = this.#copied ? copied : label;
    return html`<button
      class="icon-button ${this.#copied ? 'done' : ''}"
      aria-label=${currentLabel}
      title=${currentLabel}
      @click=${this.#handleClick}
    >
      ${this.#copied ? icons.check : icons.copy}
    </button>`;
  }

  #set(copied: boolean) {
    clearTimeout(this.#timer);
    this.#copied = copied;
    this.#host.requestUpdate();
  }

  #handleClick = async () => {
    const { strings } = this.#host;
    try {
      await writeToClipboard(this.#source());
    } catch {
      // The page has no permission to write to the clipboard.
      emit(this.#host, 'inlay-announce', { text: strings.copyAnswerFailed });
      return;
    }
    if (!this.#host.isConnected) return;
    this.#set(true);
    emit(this.#host, 'inlay-announce', { text: strings.copied });
    this.#timer = setTimeout(() => this.#set(false), copiedDurationMs);
  };
}

async function writeToClipboard({ text, html }: CopySource): Promise<void> {
  if (html && typeof ClipboardItem !== 'undefined') {
    const part = async (type: string, content: string | Promise<string>) =>
      new Blob([await content], { type });
    try {
      // Promises, because Safari allows writing only in the task of the click.
      const item = new ClipboardItem({
        'text/plain': part('text/plain', text),
        'text/html': part('text/html', html()),
      });
      return await navigator.clipboard.write([item]);
    } catch {
      // Some browsers and policies allow only plain text.
    }
  }
  await navigator.clipboard.writeText(text);
}
