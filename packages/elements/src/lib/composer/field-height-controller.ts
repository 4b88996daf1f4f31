import type { ReactiveController, ReactiveControllerHost } from 'lit';

type Host = ReactiveControllerHost & { readonly value: string };

/**
 * Shows the host's text in its text field, and fits the height of the field to the text. The style sheet
 * sets the maximum.
 */
export class FieldHeightController implements ReactiveController {
  readonly #host: Host;
  readonly #field: () => HTMLTextAreaElement | null;
  #isMultiline = false;
  /** Whether `isMultiline` has changed since the height was fitted. */
  #isStale = false;
  /** The text to which the height was fitted; null before the first render. */
  #fittedText: string | null = null;

  constructor(host: Host, field: () => HTMLTextAreaElement | null) {
    this.#host = host;
    this.#field = field;
    host.addController(this);
  }

  /** Whether the text has had several lines since the field was last empty. */
  get isMultiline(): boolean {
    return this.#isMultiline;
  }

  /** Measures a changed text before rendering, because the template depends on `isMultiline`. */
  hostUpdate() {
    const field = this.#field();
    const { value } = this.#host;
    if (field && (value !== this.#fittedText || value !== field.value)) this.#fit(field);
  }

  hostUpdated() {
    const field = this.#field();
    if (!field) return;
    const isFirst = this.#fittedText === null;
    if (isFirst || this.#isStale) this.#fit(field);
    // A first text can be measured only after it was rendered.
    if (isFirst && this.#isMultiline) {
      void this.#host.updateComplete.then(() => this.#host.requestUpdate());
    }
  }

  #fit(field: HTMLTextAreaElement) {
    const { value } = this.#host;
    // Setting the same value again would move the caret.
    if (field.value !== value) field.value = value;
    field.style.blockSize = 'auto';
    let isMultiline = false;
    // Measuring forces a layout, so that an empty field is not measured.
    if (value) {
      const { scrollHeight, clientHeight } = field;
      field.style.blockSize = `${scrollHeight}px`;
      isMultiline = this.#isMultiline || scrollHeight > clientHeight + 8;
    }
    this.#isStale = isMultiline !== this.#isMultiline;
    this.#isMultiline = isMultiline;
    this.#fittedText = value;
  }
}
