import type { UserEntry } from '@inlay/client';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { MessageAction } from '../answer-actions/message-actions.ts';
import { type EntryUiStates, updateUiState } from '../entry-ui-state.ts';
import { emit } from '../events.ts';
import type { FileBlock, LoadFile } from '../file/file.ts';
import { format } from '../i18n/format.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { timeOf } from '../i18n/times.ts';
import { icons } from '../icons/icons.ts';
import { loadElement, requestElement } from '../lazy-elements.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { userActionsParts } from '../theme/parts.ts';
import { styles } from './user-message.styles.ts';

/**
 * @summary A user message with its delivery status and actions.
 *
 * @slot actions - Additional buttons below the message.
 *
 * @fires inlay-announce - Requests an announcement that the message was copied or could not be sent.
 * @fires inlay-discard - The user discards a failed message.
 * @fires inlay-entry-edit-request - The user sends the edited text.
 * @fires inlay-retry - The user wants to send a failed message again.
 * @fires inlay-show-version - The user wants to see another version of the message.
 *
 * @csspart bubble - The box around the text.
 * @csspart files - The attachments.
 * @csspart delivery - The delivery status.
 * @csspart user-actions__base - The buttons below the message.
 * @csspart user-actions__action - A custom button below the message.
 * @csspart user-actions__versions - The switch between versions of the message.
 * @internal
 */
export class InlayUserMessage extends LitElement {
  static override styles = [base, buttons, styles];

  /** The entry of the user message. */
  @property({ attribute: false }) entry: UserEntry | null = null;

  /** Whether the message can be edited. */
  @property({ type: Boolean }) editable = false;

  /** Whether sending is disabled at the moment. */
  @property({ type: Boolean }) locked = false;

  /** Loads an attached file. Without it, only file names are shown. */
  @property({ attribute: false }) loadFile: LoadFile | null = null;

  /** Custom buttons. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = [];

  /** Stores unsent edits while the element is not in the document. */
  @property({ attribute: false }) uiStates: EntryUiStates = new Map();

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  get #files(): FileBlock[] {
    const { entry } = this;
    return entry ? entry.content.filter((block): block is FileBlock => block.type !== 'text') : [];
  }

  get #editedText(): string | undefined {
    return this.entry ? this.uiStates.get(this.entry.key)?.edit : undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (!changed.has('entry')) return;
    this.#announceFailure();
    if (this.#files.length > 0) requestElement('inlay-file');
    if (this.entry && isRich(this.entry)) requestElement('inlay-user-text');
    if (this.#editedText !== undefined) requestElement('inlay-message-editor');
  }

  /** Announces a failure or a long wait once. */
  #announceFailure() {
    const { entry, uiStates, strings } = this;
    if (!entry) return;
    const { delivery, retryAt } = entry;
    const failed = delivery === 'failed' || retryAt !== null;
    const announced = uiStates.get(entry.key)?.announced ?? false;
    if (failed === announced) return;
    updateUiState(uiStates, entry.key, { announced: failed || undefined });
    if (!failed) return;
    const text = retryAt === null ? strings.sendFailed : waitingUntil(strings, retryAt);
    // Dispatched after this update, because listeners may request another one.
    queueMicrotask(() => emit(this, 'inlay-announce', { text }));
  }

  #setEditedText(text: string | undefined) {
    if (this.entry) updateUiState(this.uiStates, this.entry.key, { edit: text });
    this.requestUpdate();
  }

  async #startEdit() {
    if (!this.entry || !(await loadElement('inlay-message-editor'))) return;
    this.#setEditedText(this.entry.text);
    await this.updateComplete;
    const editor = this.renderRoot.querySelector('inlay-message-editor');
    await editor?.updateComplete;
    editor?.focus({ preventScroll: true });
  }

  async #endEdit() {
    this.#setEditedText(undefined);
    await this.updateComplete;
    const actions = this.renderRoot.querySelector('inlay-user-actions');
    await actions?.updateComplete;
    actions?.focus({ preventScroll: true });
  }

  #handleSend({ detail }: CustomEvent<{ text: string }>) {
    const { entry } = this;
    if (!entry) return;
    const text = detail.text.trim();
    // If the page prevents the request, the edit stays.
    if (
      text !== entry.text.trim() &&
      !emit(this, 'inlay-entry-edit-request', { key: entry.key, text })
    )
      return;
    void this.#endEdit();
  }

  #renderDelivery({ key, delivery, retryAt }: UserEntry) {
    const { strings } = this;
    if (delivery === 'sent') return nothing;
    if (delivery !== 'failed' && retryAt === null) {
      const label = delivery === 'queued' ? strings.queued : strings.sending;
      return html`<div class="delivery ${delivery}" part="delivery">${label}</div>`;
    }
    const state =
      retryAt === null
        ? html`<span class="state failed">${icons.alert} ${strings.sendFailed}</span>`
        : html`<span class="state"><bdi>${waitingUntil(strings, retryAt)}</bdi></span>`;
    return html`<div class="delivery" part="delivery">
      ${state}
      ${
        this.locked
          ? nothing
          : html`<button class="button" @click=${() => emit(this, 'inlay-retry', { key })}>
              ${strings.retry}
            </button>`
      }
      <button class="button quiet" @click=${() => emit(this, 'inlay-discard', { key })}>
        ${strings.discard}
      </button>
    </div>`;
  }

  #renderActions(entry: UserEntry) {
    return html`<inlay-user-actions
      exportparts=${userActionsParts}
      .entry=${entry}
      .editable=${this.editable}
      .locked=${this.locked}
      .messageActions=${this.messageActions}
      .strings=${this.strings}
      @inlay-edit-start=${this.#startEdit}
      ><slot name="actions" slot="actions"></slot
    ></inlay-user-actions>`;
  }

  #renderFiles() {
    const files = this.#files;
    if (files.length === 0) return nothing;
    return html`<div class="files" part="files">
      ${files.map(
        (block) =>
          html`<inlay-file
            .block=${block}
            .loadFile=${this.loadFile}
            .strings=${this.strings}
          ></inlay-file>`,
      )}
    </div>`;
  }

  #renderText(entry: UserEntry) {
    const editedText = this.#editedText;
    if (editedText !== undefined) {
      return html`<inlay-message-editor
        .text=${editedText}
        .locked=${this.locked}
        .strings=${this.strings}
        @inlay-editor-input=${({ detail }: CustomEvent) => this.#setEditedText(detail.text)}
        @inlay-editor-send=${this.#handleSend}
        @inlay-editor-cancel=${this.#endEdit}
      ></inlay-message-editor>`;
    }
    const { text } = entry;
    if (!text) return nothing;
    return html`<div class="bubble" part="bubble" dir="auto">${
      isRich(entry)
        ? html`<inlay-user-text .text=${text} .strings=${this.strings}>${text}</inlay-user-text>`
        : text
    }</div>`;
  }

  protected override render() {
    const { entry, strings } = this;
    if (!entry) return nothing;
    const editing = this.#editedText !== undefined;
    return html`
      <h3 class="visually-hidden">${strings.you}</h3>
      ${this.#renderFiles()}
      <div class="bubble-row ${entry.delivery} ${(entry.versions?.of ?? 1) > 1 ? 'stacked' : ''}">
        ${this.#renderText(entry)} ${editing ? nothing : this.#renderActions(entry)}
      </div>
      ${this.#renderDelivery(entry)}
    `;
  }
}

/** Whether a text may be longer than 12 lines or contains a URL, so that `inlay-user-text` renders it. */
export const isRich = ({ text }: UserEntry): boolean =>
  text.length > 400 || /(\n[^\n]*){12}|https?:\/\//.test(text);

function waitingUntil(strings: Strings, retryAt: number): string {
  return format(strings.waitingUntil, { time: timeOf(strings, retryAt, Date.now()) });
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-user-message': InlayUserMessage;
  }
}
