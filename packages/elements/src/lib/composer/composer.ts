import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { styles } from './composer.styles.ts';

/**
 * @summary Where the person writes. Enter sends, Shift+Enter makes a new line, and what an input
 * method is composing is never sent by the Enter that ends it.
 *
 * @fires inlay-submit - The person sends. When prevented, the text stays.
 * @fires inlay-draft - The text changed, by the person or because it was sent.
 * @fires inlay-stop - The person stops the answer.
 *
 * @csspart form - The box around field and buttons.
 * @csspart field - The text field.
 * @csspart send - The button that sends.
 * @csspart stop - The button that stops the answer.
 * @csspart disclaimer - The line below.
 */
export class InlayComposer extends LitElement {
  static override styles = [base, styles];

  /** The text. */
  @property() value = '';

  /** Shown while there is no text. */
  @property() placeholder = '';

  /** One line below the field. */
  @property() disclaimer = '';

  /** Whether an answer is being made, so that it can be stopped. */
  @property({ type: Boolean }) running = false;

  /** Whether the text can be read and copied, but neither changed nor sent. */
  @property({ type: Boolean, attribute: 'readonly' }) readOnly = false;

  /** Whether the person can write, but not send. */
  @property({ type: Boolean }) held = false;

  @property({ attribute: false }) strings: Strings = english;

  protected override updated(changed: PropertyValues<this>) {
    const field = this.#field;
    // The field itself has the person's text already, and its caret must stay.
    if (field && field.value !== this.value) field.value = this.value;
    if (changed.has('value')) this.#fit();
  }

  override focus(options?: FocusOptions) {
    this.#field?.focus(options);
  }

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  get #sendable(): boolean {
    return !this.readOnly && !this.held && this.value.trim() !== '';
  }

  /** Grows the field with its text. Its style sheet sets the limit. */
  #fit() {
    const field = this.#field;
    if (!field) return;
    field.style.blockSize = 'auto';
    if (this.value) field.style.blockSize = `${field.scrollHeight}px`;
  }

  #change(value: string) {
    if (value === this.value) return;
    this.value = value;
    emit(this, 'inlay-draft', { value });
  }

  #handleInput(event: InputEvent) {
    this.#change((event.target as HTMLTextAreaElement).value);
  }

  #handleKeydown(event: KeyboardEvent) {
    // 229 is how older engines mark the key that ends a composition, after `isComposing` is over.
    const composing = event.isComposing || event.keyCode === 229;
    if (event.key !== 'Enter' || event.shiftKey || composing) return;
    event.preventDefault();
    this.#submit();
  }

  #handleSubmit(event: SubmitEvent) {
    event.preventDefault();
    this.#submit();
  }

  /** A press beside the field means the field. */
  #handlePointerdown(event: PointerEvent) {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    this.focus();
  }

  #submit() {
    if (!this.#sendable) return;
    const text = this.value.trim();
    if (emit(this, 'inlay-submit', { text })) this.#change('');
    this.focus();
  }

  #stop() {
    emit(this, 'inlay-stop', {});
    this.focus();
  }

  #renderStop() {
    return html`<button
      class="act stop"
      part="stop"
      type="button"
      aria-label=${this.strings.stop}
      title=${this.strings.stop}
      @click=${this.#stop}
    >
      ${icons.stop}
    </button>`;
  }

  #renderSend() {
    return html`<button
      class="act"
      part="send"
      type="submit"
      aria-label=${this.strings.send}
      title=${this.strings.send}
      ?disabled=${!this.#sendable}
    >
      ${icons.send}
    </button>`;
  }

  protected override render() {
    const { strings } = this;
    return html`
      <form
        part="form"
        class=${this.readOnly ? 'closed' : 'open'}
        @submit=${this.#handleSubmit}
        @pointerdown=${this.#handlePointerdown}
      >
        <textarea
          part="field"
          rows="1"
          dir=${this.value ? 'auto' : nothing}
          enterkeyhint="send"
          aria-label=${strings.messageField}
          placeholder=${this.placeholder || strings.placeholder}
          ?readonly=${this.readOnly}
          @input=${this.#handleInput}
          @keydown=${this.#handleKeydown}
        ></textarea>
        ${this.running ? this.#renderStop() : nothing}
        ${this.running && !this.#sendable ? nothing : this.#renderSend()}
      </form>
      ${this.disclaimer ? html`<p part="disclaimer"><bdi>${this.disclaimer}</bdi></p>` : nothing}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-composer': InlayComposer;
  }
}
