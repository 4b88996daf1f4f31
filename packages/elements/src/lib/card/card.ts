import type { CardEntry } from '@inlay/client';
import type { CardBlock, CardField } from '@inlay/protocol';
import { toJson } from '@inlay/protocol/to-json';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type EntryUiStates, updateUiState } from '../entry-ui-state.ts';
import { emit } from '../events.ts';
import { focusWhenScrollable } from '../focusable-scrollers.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { plural } from '../i18n/format.ts';
import { icons } from '../icons/icons.ts';
import { requestElement } from '../lazy-elements.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { directionOf, withoutHidden } from '../untrusted-text.ts';
import { styles } from './card.styles.ts';
import { fieldStyles } from './card-fields.styles.ts';
import {
  answerOf,
  currentValue,
  type FieldValues,
  fieldsOf,
  formatValue,
  problemOf,
} from './card-values.ts';
import { type CardRenderers, CustomBlocks } from './custom-blocks.ts';
import { blocksOf } from './read-card.ts';
import {
  type BlockView,
  renderButtons,
  renderImage,
  renderList,
  renderTable,
} from './render-blocks.ts';
import { renderField } from './render-field.ts';

/**
 * @summary A card of the agent: a form, a choice, a table or a chart. The user can reply to it once;
 * the reply stays visible.
 *
 * @fires inlay-announce - Requests an announcement of a new card, the number of invalid fields or the sent
 *   reply.
 * @fires inlay-entry-card-request - The user pressed a button or chose an item.
 *
 * @csspart base - The box.
 * @csspart title - The title of the card.
 * @csspart field - A field with its label.
 * @csspart buttons - A row of buttons.
 * @csspart list - A list of items.
 * @csspart table - A table.
 * @csspart image - An image.
 * @csspart answer - The reply of the user.
 * @csspart note - The status of the reply.
 * @internal
 */
export class InlayCard extends LitElement {
  static override styles = [base, buttons, styles, fieldStyles];

  #blocks: readonly CardBlock[] = [];
  readonly #customBlocks = new CustomBlocks(this);

  /** Names of the fields that are validated on change, because they were invalid before. */
  @state() private validated: ReadonlySet<string> = new Set();

  /** Failure of the reply: not sent, or in conflict with another reply; null for none. */
  @state() private failure: 'unsent' | 'conflict' | null = null;

  /** The entry of the card, with its reply. */
  @property({ attribute: false }) entry: CardEntry | null = null;

  /** Whether replying is disabled at the moment. */
  @property({ type: Boolean }) locked = false;

  /** Origins from which images may be loaded. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];

  /** Stores unsent values while the element is not in the document. */
  @property({ attribute: false }) uiStates: EntryUiStates = new Map();

  /** Functions of the page that draw custom blocks, by name. */
  @property({ attribute: false }) renderers: CardRenderers | null = null;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override willUpdate(changed: PropertyValues<this>) {
    const { entry } = this;
    if (!entry) return;
    if (changed.has('entry')) this.#handleEntry(entry, changed.get('entry'));
    this.#customBlocks.update(entry.key, this.#blocks, this.renderers);
  }

  #handleEntry(entry: CardEntry, before: CardEntry | null | undefined) {
    if (before?.key !== entry.key) this.#reset(entry);
    // An open entry also changes if its reply was rejected before it was rendered.
    else if (before.progress !== entry.progress || this.#sent) this.#handleProgress(entry);
    // The same card can be read from the log again.
    else if (toJson(before.card) !== toJson(entry.card)) this.#blocks = blocksOf(entry);
  }

  #reset(entry: CardEntry) {
    this.#blocks = blocksOf(entry);
    this.validated = new Set();
    this.failure = null;
    if (this.#blocks.some(({ type }) => ['text', 'image', 'custom'].includes(type))) {
      requestElement('inlay-markdown');
    }
    if (this.#blocks.some(({ type }) => type === 'chart')) requestElement('inlay-chart');
    if (entry.progress === 'open' && this.#blocks.length > 0) this.#announce(entry);
    // The reply may have been sent in another element, such as that of the welcome card.
    if (entry.progress === 'answered') this.#handleProgress(entry);
  }

  /** Announces a new card once. */
  #announce({ key, card }: CardEntry) {
    if (this.uiStates.get(key)?.announced) return;
    updateUiState(this.uiStates, key, { announced: true });
    const text = card.title ? `${this.strings.card}: ${card.title}` : this.strings.card;
    // Dispatched after this update, because listeners may request another one.
    queueMicrotask(() => emit(this, 'inlay-announce', { text }));
  }

  #handleProgress({ key, progress, answer }: CardEntry) {
    if (progress === 'sending') return;
    const sent = this.#sent;
    if (progress === 'open') {
      this.failure = sent === undefined ? null : 'unsent';
      return;
    }
    updateUiState(this.uiStates, key, { values: undefined, sent: undefined });
    if (sent === undefined) return;
    const isConflict = sent !== serialize(answer);
    this.failure = isConflict ? 'conflict' : null;
    const text = isConflict ? this.strings.cardConflict : this.strings.cardSent;
    queueMicrotask(() => emit(this, 'inlay-announce', { text }));
  }

  /** The serialized reply that was sent; undefined for none. */
  get #sent(): string | undefined {
    return this.uiStates.get(this.entry?.key ?? '')?.sent;
  }

  get #values(): FieldValues {
    return (this.entry && this.uiStates.get(this.entry.key)?.values) ?? {};
  }

  #change({ name }: CardField, value: unknown) {
    if (!this.entry) return;
    updateUiState(this.uiStates, this.entry.key, { values: { ...this.#values, [name]: value } });
    this.requestUpdate();
  }

  async #submit(action: string, skipsFields: boolean) {
    const { entry, strings } = this;
    if (entry?.progress !== 'open' || this.locked) return;
    const fields = skipsFields ? [] : fieldsOf(this.#blocks);
    const invalid = fields.filter((field) => problemOf(field, this.#values, strings) !== null);
    this.validated = new Set([...this.validated, ...invalid.map(({ name }) => name)]);
    const [first] = invalid;
    if (first) {
      emit(this, 'inlay-announce', { text: plural(strings, strings.cardProblems, invalid.length) });
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>(`#${this.#idOf(first)}`)?.focus();
      return;
    }
    const values = answerOf(fields, this.#values, strings);
    this.failure = null;
    updateUiState(this.uiStates, entry.key, { sent: serialize({ action, values }) });
    // The page prevented the request.
    if (!emit(this, 'inlay-entry-card-request', { key: entry.key, action, values }))
      updateUiState(this.uiStates, entry.key, { sent: undefined });
  }

  #idOf(field: CardField): string {
    return `field-${fieldsOf(this.#blocks).indexOf(field)}`;
  }

  #renderBlock(block: CardBlock, view: BlockView) {
    switch (block.type) {
      case 'text':
        return this.#renderText(block.text);
      case 'custom': {
        const slot = this.#customBlocks.slotOf(block);
        return slot === null ? this.#renderText(block.text) : html`<slot name=${slot}></slot>`;
      }
      case 'field':
        return this.#renderField(block);
      case 'buttons':
        return renderButtons(block, view);
      case 'list':
        return renderList(block, view);
      case 'table':
        return renderTable(block, view);
      case 'image':
        return renderImage(block, view);
      case 'chart':
        return html`<inlay-chart .chart=${block} .strings=${this.strings}></inlay-chart>`;
    }
  }

  #renderText(text: string) {
    return html`<inlay-markdown
      class="one-direction"
      .text=${text}
      .imageOrigins=${this.imageOrigins}
      .strings=${this.strings}
    ></inlay-markdown>`;
  }

  #renderField(field: CardField) {
    const { entry, strings } = this;
    if (entry?.progress === 'answered') return this.#renderAnswered(field, entry);
    return renderField({
      field,
      id: this.#idOf(field),
      value: currentValue(field, this.#values, strings),
      problem: this.validated.has(field.name) ? problemOf(field, this.#values, strings) : null,
      disabled: this.locked || entry?.progress === 'sending',
      strings,
      onChange: (value) => this.#change(field, value),
    });
  }

  #renderAnswered(field: CardField, { answer }: CardEntry) {
    const { strings } = this;
    const values = answer?.values ?? {};
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    const isEmpty = value === undefined;
    return html`<dl class="answer" part="answer">
      <dt><bdi>${field.label}</bdi></dt>
      <dd class=${isEmpty ? 'none' : ''}>
        <bdi>${isEmpty ? strings.cardNoValue : formatValue(field, value, strings)}</bdi>
      </dd>
    </dl>`;
  }

  /** Whether a button or an item of the card shows that its action was chosen. */
  #showsAction(action: string | undefined): boolean {
    return this.#blocks.some(
      (block) =>
        (block.type === 'buttons' && block.buttons.some((button) => button.action === action)) ||
        (block.type === 'list' && block.items.some((item) => item.action === action)),
    );
  }

  #renderNote({ progress, answer }: CardEntry) {
    const { strings, failure } = this;
    if (failure) {
      const text = failure === 'unsent' ? strings.cardNotSent : strings.cardConflict;
      return html`<p class="note ${failure}" part="note">${icons.alert} <bdi>${text}</bdi></p>`;
    }
    if (progress !== 'answered' || this.#showsAction(answer?.action)) return nothing;
    return html`<p class="note sent" part="note">${icons.check} <bdi>${strings.cardSent}</bdi></p>`;
  }

  protected override updated() {
    for (const box of this.renderRoot.querySelectorAll<HTMLElement>('.table'))
      focusWhenScrollable(box);
  }

  protected override render() {
    const { entry, strings } = this;
    if (!entry || this.#blocks.length === 0) return nothing;
    const { progress, answer, card } = entry;
    const view: BlockView = {
      strings,
      imageOrigins: this.imageOrigins,
      locked: this.locked || progress !== 'open',
      chosen: answer?.action ?? null,
      sending: progress === 'sending',
      onAction: (action, skipsFields) => void this.#submit(action, skipsFields),
    };
    return html`<span id="new-tab" hidden>${strings.opensNewTab}</span><form
      class="card ${progress}"
      part="base"
      dir=${directionOf(textOf(card.title, this.#blocks)) ?? nothing}
      novalidate
      aria-label=${withoutHidden(card.title || '') || strings.card}
      aria-busy=${view.sending}
      @submit=${(event: Event) => event.preventDefault()}
    >
      ${card.title ? html`<h3 part="title"><bdi>${withoutHidden(card.title)}</bdi></h3>` : nothing}
      ${this.#blocks.map((block) => this.#renderBlock(block, view))} ${this.#renderNote(entry)}
    </form>`;
  }
}

/** The title and the text of the blocks, whose first letter determines the direction of the whole card. */
function textOf(title: string | null | undefined, blocks: readonly CardBlock[]): string {
  const texts = blocks.map(
    (block) => ('text' in block && block.text) || ('label' in block && block.label),
  );
  return [title, ...texts].filter(Boolean).join(' ');
}

/** Serializes a reply for comparison. */
function serialize(answer: CardEntry['answer']): string {
  const values = Object.entries(answer?.values ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return toJson([answer?.action, values]) ?? '';
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-card': InlayCard;
  }
}
