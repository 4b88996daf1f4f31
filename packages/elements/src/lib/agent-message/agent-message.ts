import type { AgentEntry } from '@inlay/client';
import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import type { MessageAction } from '../answer-actions/message-actions.ts';
import type { EntryMemory } from '../entry-memory.ts';
import { format } from '../i18n/format.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { answerActionsParts, markdownParts } from '../theme/parts.ts';
import { styles } from './agent-message.styles.ts';

/**
 * @summary An answer of the agent, as it grows and when it is done, with what can be done with it.
 *
 * @slot actions - More to do with the answer, beside the buttons below it.
 *
 * @fires inlay-again - The user wants another answer.
 * @fires inlay-announce - The answer was copied, or rated.
 * @fires inlay-quote - The user wants to write about a part of the answer.
 * @fires inlay-entry-rating-request - The user finds the answer good or bad, or says why.
 *
 * @csspart content - The answer.
 * @csspart answer-actions__base - The row of buttons below it.
 * @csspart answer-actions__action - A button of the page's own in that row.
 * @csspart feedback__base - The feedback form.
 * @csspart answer-actions__quote - The quote button below a text selection.
 * @csspart markdown__code - A block of code.
 * @csspart markdown__inline-code - Inline code.
 * @csspart markdown__link - A link.
 * @csspart markdown__table - A table.
 * @csspart markdown__image - An image.
 * @csspart markdown__sources - The list of sources.
 */
export class InlayAgentMessage extends LitElement {
  static override styles = [base, styles];

  /** The answer. */
  @property({ attribute: false }) entry: AgentEntry | null = null;

  /** Whether the user can rate the answer. */
  @property({ type: Boolean }) rateable = false;

  /** Whether the user can have another answer. */
  @property({ type: Boolean }) repeatable = false;

  /** Whether a part of the answer can be quoted. */
  @property({ type: Boolean }) quotable = false;

  /** Origins from which images may be loaded. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];

  /** Buttons of the page's own. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = [];

  /** Where what the user is saying about the answer is kept while it is out of the document. */
  @property({ attribute: false }) memory: EntryMemory = new Map();

  /** Who answers, for those who hear the conversation. */
  @property({ attribute: 'agent-name' }) agentName = '';

  /** The words, in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  readonly #content = () => {
    const markdown = this.renderRoot.querySelector('inlay-markdown');
    return markdown?.shadowRoot?.querySelector('[part="content"]') ?? null;
  };

  #renderActions(entry: AgentEntry) {
    return html`<inlay-answer-actions
      exportparts=${answerActionsParts}
      .entry=${entry}
      .content=${this.#content}
      .rateable=${this.rateable}
      .repeatable=${this.repeatable}
      .quotable=${this.quotable}
      .messageActions=${this.messageActions}
      .memory=${this.memory}
      .strings=${this.strings}
      ><slot name="actions" slot="actions"></slot
    ></inlay-answer-actions>`;
  }

  #renderEnd({ progress }: AgentEntry) {
    if (progress !== 'stopped' && progress !== 'failed') return nothing;
    const words = progress === 'stopped' ? this.strings.stopped : this.strings.brokeOff;
    const icon = progress === 'stopped' ? icons.stop : icons.alert;
    return html`<div class="ended">${icon} ${words}</div>`;
  }

  protected override render() {
    const { entry, strings } = this;
    if (!entry) return nothing;
    const streaming = entry.progress === 'streaming';
    const agent = this.agentName || strings.agent;
    return html`
      <span class="visually-hidden">${format(strings.answered, { agent })}</span>
      <inlay-markdown
        part="content"
        exportparts=${markdownParts}
        .text=${entry.text}
        .streaming=${streaming}
        .citations=${entry.citations}
        .imageOrigins=${this.imageOrigins}
        .strings=${strings}
      ></inlay-markdown>
      ${this.#renderEnd(entry)} ${streaming ? nothing : this.#renderActions(entry)}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-agent-message': InlayAgentMessage;
  }
}
