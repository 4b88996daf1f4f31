import { html, LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { english, type Strings } from '../i18n/all-strings.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './message-editor.styles.ts';

/**
 * @summary An editor in place of a user message.
 *
 * @fires inlay-editor-input - The text changed: `detail.text`. It does not bubble.
 * @fires inlay-editor-send - The user sends the new text: `detail.text`. It does not bubble.
 * @fires inlay-editor-cancel - The user cancels editing. It does not bubble.
 *
 * @csspart editor - The box.
 * @csspart field - The text field.
 * @internal
 */
export class InlayMessageEditor extends LitElement {
  static override styles = [base, buttons, styles];

  /** Text of the field. */
  @property({ attribute: false }) text = '';

  /** Whether sending is disabled at the moment. */
  @property({ type: Boolean }) locked = false;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  /** Moves focus to the field, with the caret at the end. */
  override focus(options?: FocusOptions) {
    this.#field?.focus(options);
    this.#field?.setSelectionRange(this.text.length, this.text.length);
  }

  protected override updated() {
    const field = this.#field;
    if (!field) return;
    // The field grows with its text; the style sheet sets the maximum.
    field.style.setProperty('block-size', 'auto');
    field.style.setProperty('block-size', `${field.scrollHeight + 2}px`);
  }

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  #dispatch(name: 'input' | 'send' | 'cancel') {
    this.dispatchEvent(new CustomEvent(`inlay-editor-${name}`, { detail: { text: this.text } }));
  }

  #handleInput() {
    this.text = this.#field?.value ?? '';
    this.#dispatch('input');
  }

  #handleKeydown(event: KeyboardEvent) {
    // Ignores the key that ends a composition. Safari identifies this key only by the key code 229.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.#dispatch('cancel');
    }
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.#send();
    }
  }

  get #sendable(): boolean {
    return this.text.trim() !== '' && !this.locked;
  }

  #send() {
    if (this.#sendable) this.#dispatch('send');
  }

  protected override render() {
    const { strings } = this;
    return html`<div class="editor" part="editor" role="group" aria-label=${strings.editField}>
      <textarea
        part="field"
        dir="auto"
        rows="1"
        aria-label=${strings.editField}
        .value=${this.text}
        @input=${this.#handleInput}
        @keydown=${this.#handleKeydown}
      ></textarea>
      <div class="choices">
        <button class="button" type="button" @click=${() => this.#dispatch('cancel')}>
          ${strings.cancel}
        </button>
        <button
          class="button primary"
          type="button"
          ?disabled=${!this.#sendable}
          @click=${this.#send}
        >
          ${strings.send}
        </button>
      </div>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-message-editor': InlayMessageEditor;
  }
}
