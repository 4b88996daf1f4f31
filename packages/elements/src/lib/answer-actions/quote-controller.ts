import { adoptStyles, html, type LitElement, nothing, type ReactiveController } from 'lit';
import { emit } from '../events.ts';
import type { Strings } from '../i18n/strings.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { quoteStyles } from './quote.styles.ts';
import { type SelectedText, selectionIn } from './selected-text.ts';

export type QuotingHost = LitElement & { readonly strings: Strings };

/**
 * Offers to quote the text that the user selects in a part of its host, with a button below the
 * selection and with Alt+Q. The button is positioned absolutely, relative to the host.
 */
export class QuoteController implements ReactiveController {
  readonly #host: QuotingHost;
  readonly #source: () => Element | null;
  #selected: SelectedText | null = null;
  #frame = 0;

  constructor(host: QuotingHost, source: () => Element | null) {
    this.#host = host;
    this.#source = source;
    const { elementStyles } = host.constructor as typeof LitElement;
    adoptStyles(host.renderRoot as ShadowRoot, [...elementStyles, quoteStyles]);
    host.addController(this);
  }

  hostConnected() {
    document.addEventListener('selectionchange', this.update);
  }

  hostDisconnected() {
    document.removeEventListener('selectionchange', this.update);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#set(null);
  }

  hostUpdated() {
    const button = this.#host.renderRoot.querySelector<HTMLElement>('.quote');
    if (!button || !this.#selected) return;
    const box = this.#host.getBoundingClientRect();
    const { left, right, bottom } = this.#selected;
    // Below the selection: above it, touch screens show their own menu.
    const middle = (left + right) / 2 - box.left - button.offsetWidth / 2;
    const start = Math.max(0, Math.min(middle, box.width - button.offsetWidth));
    const top = bottom - box.top + 6;
    const x = this.#besideActions(start, top, button, box);
    button.style.setProperty('left', `${x}px`);
    button.style.setProperty('top', `${top}px`);
  }

  /** Shifts the button sideways if it would cover the action buttons of the message. */
  #besideActions(start: number, top: number, button: HTMLElement, box: DOMRect): number {
    const actions = this.#host.renderRoot.querySelector('.quiet')?.getBoundingClientRect();
    if (!actions || top > actions.bottom - box.top || top + button.offsetHeight < 0) return start;
    const gap = 8;
    const isMirrored = actions.left - box.left > box.right - actions.right;
    return isMirrored
      ? Math.max(0, actions.left - box.left - gap - button.offsetWidth)
      : Math.min(box.width - button.offsetWidth, actions.right - box.left + gap);
  }

  render() {
    if (!this.#selected) return nothing;
    const { strings } = this.#host;
    return html`<button
      class="quote"
      part="quote"
      aria-keyshortcuts="Alt+Q"
      title="Alt+Q"
      @pointerdown=${keepSelection}
      @mousedown=${keepSelection}
      @click=${this.#quote}
    >
      ${extraIcons.quote} ${strings.quote}
    </button>`;
  }

  /** Reads the selection at most once per frame: it changes with every pointer move. */
  readonly update = (): void => {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const source = this.#source();
      this.#set(source && selectionIn(source));
    });
  };

  #set(selected: SelectedText | null) {
    if (selected === this.#selected) return;
    if (!selected !== !this.#selected) {
      if (selected) document.addEventListener('keydown', this.#handleKeydown);
      else document.removeEventListener('keydown', this.#handleKeydown);
    }
    this.#selected = selected;
    this.#host.requestUpdate();
  }

  #handleKeydown = (event: KeyboardEvent) => {
    const { altKey, code, ctrlKey, key, metaKey } = event;
    // On macOS, Option+Q types another character. A letter means that the layout has another key there.
    const isShortcut = /^[a-z]$/i.test(key) ? key.toLowerCase() === 'q' : code === 'KeyQ';
    if (!isShortcut || !altKey || ctrlKey || metaKey) return;
    event.preventDefault();
    this.#quote();
  };

  #quote = () => {
    const text = this.#selected?.text;
    if (!text) return;
    getSelection()?.removeAllRanges();
    this.#set(null);
    emit(this.#host, 'inlay-quote', { text });
  };
}

/** Prevents the button press from clearing the selection. */
function keepSelection(event: Event) {
  event.preventDefault();
}
