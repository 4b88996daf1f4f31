import { type DiagnoseOptions, type DiagnosisReport, InlayError } from '@inlay/client';
import { html, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { InlayChat } from '../chat/chat.ts';
import { ChatOptions } from '../chat/chat-options.ts';
import { ViewportController } from '../controllers/viewport-controller.ts';
import { emit } from '../events.ts';
import { plural } from '../i18n/format.ts';
import { type Strings, withStrings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './launcher.styles.ts';
import { lockScroll } from './scroll-lock.ts';

/** Where the panel covers the window. The same question as in the style sheet. */
const covering = '(max-width: 560px), (max-height: 420px)';

/**
 * @summary A bubble in the corner of the window that opens a chat. The chat is made when it is
 * first opened, takes every option of `inlay-chat` (`base-url`, and `token-url`, `getToken` or
 * `publishable-key`), and goes on while the panel is closed.
 *
 * @slot icon - Replaces the bubble's icon.
 *
 * @fires inlay-toggle - The panel was opened or closed. Every event of `inlay-chat` passes as well.
 *
 * @csspart bubble-button - The bubble.
 * @csspart badge - The number of answers that were finished while the panel was closed.
 * @csspart panel - The box around the chat.
 */
export class InlayLauncher extends ChatOptions {
  static override styles = [base, buttons, styles];

  readonly #viewport = new ViewportController(this, covering);
  #words: Strings = withStrings(null);
  #unlock: (() => void) | null = null;
  #passed = false;
  /** Whether the panel was opened by someone, and takes the focus. */
  #wantsFocus = false;

  /** Whether the chat was made. */
  @state() private made = false;

  /** How many answers were finished while the panel was closed. */
  @state() private unread = 0;

  /** Whether the panel is open. */
  @property({ type: Boolean, reflect: true, attribute: 'open' }) opened = false;

  /** The corner: `bottom-end` (default) or `bottom-start`, by the direction of the page's text. */
  @property({ reflect: true }) placement: 'bottom-end' | 'bottom-start' = 'bottom-end';

  /** The chat inside; null until it is first opened. */
  get chat(): InlayChat | null {
    return this.renderRoot.querySelector('inlay-chat');
  }

  /** Opens the panel and puts the focus into it. Opening it twice does nothing. */
  open(): void {
    if (this.opened) return;
    this.opened = true;
    this.#wantsFocus = true;
    emit(this, 'inlay-toggle', { open: true });
  }

  /** Closes the panel. The focus goes back to the bubble if it was in the panel. */
  close(): void {
    if (!this.opened) return;
    const focused = this.renderRoot.querySelector('dialog')?.matches(':focus-within') ?? false;
    this.opened = false;
    emit(this, 'inlay-toggle', { open: false });
    if (focused) void this.updateComplete.then(() => this.#bubble?.focus());
  }

  /** As that of `inlay-chat`, which is made for it if it was never opened; the panel stays as it is. */
  async diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport> {
    this.made = true;
    await this.updateComplete;
    const { chat } = this;
    if (!chat) throw new InlayError('INVALID_OPTION', 'The launcher is not on the page.');
    await chat.updateComplete;
    return chat.diagnose(options);
  }

  toggle(): void {
    if (this.opened) this.close();
    else this.open();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#unlock?.();
    this.#unlock = null;
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('strings')) this.#words = withStrings(this.strings);
    if (this.opened) {
      this.made = true;
      this.unread = 0;
    }
  }

  protected override updated(changed: PropertyValues<this>) {
    this.#passOptions(changed);
    const scheme = this.colorScheme || 'auto';
    this.#bubble?.style.setProperty('color-scheme', scheme === 'auto' ? 'light dark' : scheme);

    const dialog = this.renderRoot.querySelector('dialog');
    if (!dialog) return;
    dialog.style.setProperty('color-scheme', scheme === 'auto' ? 'light dark' : scheme);
    const { top, height } = this.#viewport.visible;
    dialog.style.setProperty('--viewport-top', `${top}px`);
    dialog.style.setProperty('--viewport-height', `${height}px`);
    this.#show(dialog);
    if (changed.has('opened') && this.opened && this.#wantsFocus) void this.#takeFocus(dialog);
  }

  /** Every option is the chat's as well. A chat that was just made has none yet. */
  #passOptions(changed: PropertyValues<this>) {
    const { chat } = this;
    if (!chat) return;
    for (const name of ChatOptions.elementProperties.keys() as Iterable<keyof ChatOptions>) {
      if (changed.has(name) || !this.#passed) Object.assign(chat, { [name]: this[name] });
    }
    this.#passed = true;
  }

  get #bubble(): HTMLButtonElement | null {
    return this.renderRoot.querySelector('.bubble');
  }

  /** A panel that covers the page is modal; one beside it leaves the page usable. */
  #show(dialog: HTMLDialogElement) {
    const modal = this.opened && this.#viewport.covers;
    if (modal !== dialog.matches(':modal')) {
      // A phone that is turned must not take the field away from someone who writes.
      const focused = this.chat?.shadowRoot?.activeElement;
      dialog.close();
      if (modal) dialog.showModal();
      if (this.opened && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    }
    // Not `show()`, which takes the focus also when the page opened the panel by itself.
    dialog.toggleAttribute('open', this.opened);

    if (modal) this.#unlock ??= lockScroll();
    else {
      this.#unlock?.();
      this.#unlock = null;
    }
  }

  async #takeFocus(dialog: HTMLDialogElement) {
    this.#wantsFocus = false;
    const { chat } = this;
    await chat?.updateComplete;
    if (!this.opened) return;
    // On a touch screen the composer would bring the keyboard up over what there is to read.
    if (matchMedia('(pointer: coarse)').matches) dialog.focus();
    else chat?.focusComposer();
  }

  #handleKeydown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    this.close();
  }

  /** The browser's own way to close a modal dialog, such as a phone's back gesture. */
  #handleCancel(event: Event) {
    event.preventDefault();
    this.close();
  }

  #handleAnswer() {
    if (!this.opened) this.unread += 1;
  }

  #renderPanel() {
    const words = this.#words;
    return html`<dialog
      id="panel"
      part="panel"
      tabindex="-1"
      autofocus
      aria-label=${this.heading || words.chatLabel}
      @keydown=${this.#handleKeydown}
      @cancel=${this.#handleCancel}
    >
      <inlay-chat
        exportparts="root, header, foot, scroller, bubble, answer, actions, jump, greeting, starter, banner, form, field, send, stop, disclaimer"
        @inlay-answer=${this.#handleAnswer}
      >
        <button
          slot="actions"
          class="icon-button"
          aria-label=${words.closeChat}
          title=${words.closeChat}
          @click=${this.close}
        >
          ${icons.close}
        </button>
      </inlay-chat>
    </dialog>`;
  }

  protected override render() {
    const words = this.#words;
    const count = this.unread > 0 ? plural(words, words.unread, this.unread) : '';
    const label = this.opened ? words.closeChat : words.openChat;
    return html`
      ${this.made ? this.#renderPanel() : nothing}
      <button
        class="bubble"
        part="bubble-button"
        aria-label=${count ? `${label}, ${count}` : label}
        aria-expanded=${this.opened}
        aria-haspopup="dialog"
        aria-controls=${this.made ? 'panel' : nothing}
        @click=${this.toggle}
      >
        ${this.opened ? icons.chevron : html`<slot name="icon">${icons.chat}</slot>`}
        ${
          count
            ? html`<span class="badge" part="badge" aria-hidden="true"
                >${this.unread > 9 ? '9+' : this.unread}</span
              >`
            : nothing
        }
      </button>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-launcher': InlayLauncher;
  }
}
