import type { AgentEntry } from '@inlay/client';
import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import type { MessageAction } from '../answer-actions/message-actions.ts';
import type { EntryUiStates } from '../entry-ui-state.ts';
import { format } from '../i18n/format.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { answerActionsParts, markdownParts } from '../theme/parts.ts';
import { styles } from './agent-message.styles.ts';

/**
 * @summary An agent message, streaming or complete, with its actions.
 *
 * @slot actions - Additional buttons below the agent message.
 *
 * @fires inlay-again - The user wants to regenerate the agent message.
 * @fires inlay-announce - Requests an announcement that the agent message was copied or rated, or can't be
 *   read aloud.
 * @fires inlay-quote - The user quotes a part of the agent message.
 * @fires inlay-entry-rating-request - The user rates the agent message or adds reasons.
 *
 * @csspart content - The content of the message.
 * @csspart answer-actions__base - The buttons below the message.
 * @csspart answer-actions__action - A custom button below the message.
 * @csspart feedback__base - The feedback form.
 * @csspart answer-actions__quote - The quote button below a text selection.
 * @csspart markdown__code - A block of code.
 * @csspart markdown__inline-code - Inline code.
 * @csspart markdown__link - A link.
 * @csspart markdown__table - A table.
 * @csspart markdown__image - An image.
 * @csspart markdown__sources - The list of sources.
 * @internal
 */
export class InlayAgentMessage extends LitElement {
  static override styles = [base, styles];

  /** The entry of the agent message. */
  @property({ attribute: false }) entry: AgentEntry | null = null;

  /** Whether the agent message can be rated. */
  @property({ type: Boolean }) rateable = false;

  /** Whether the agent message can be regenerated. */
  @property({ type: Boolean }) repeatable = false;

  /** Whether parts of the agent message can be quoted. */
  @property({ type: Boolean }) quotable = false;

  /** Whether the agent message can be read aloud, if the browser supports it. */
  @property({ type: Boolean }) speakable = false;

  /** Origins from which images may be loaded. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];

  /** Custom buttons. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = [];

  /** Stores unsent feedback while the element is not in the document. */
  @property({ attribute: false }) uiStates: EntryUiStates = new Map();

  /** Name of the agent, for screen reader users. */
  @property({ attribute: 'agent-name' }) agentName = '';

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  /** Returns the element with the rendered message. */
  readonly content = (): Element | null => {
    const markdown = this.renderRoot.querySelector('inlay-markdown');
    return markdown?.shadowRoot?.querySelector('[part="content"]') ?? null;
  };

  #renderActions(entry: AgentEntry) {
    return html`<inlay-answer-actions
      exportparts=${answerActionsParts}
      .entry=${entry}
      .content=${this.content}
      .rateable=${this.rateable}
      .repeatable=${this.repeatable}
      .quotable=${this.quotable}
      .speakable=${this.speakable}
      .messageActions=${this.messageActions}
      .uiStates=${this.uiStates}
      .strings=${this.strings}
      ><slot name="actions" slot="actions"></slot
    ></inlay-answer-actions>`;
  }

  #renderEnd({ progress }: AgentEntry) {
    if (progress !== 'stopped' && progress !== 'failed') return nothing;
    const text = progress === 'stopped' ? this.strings.stopped : this.strings.brokeOff;
    const icon = progress === 'stopped' ? icons.stop : icons.alert;
    return html`<div class="ended">${icon} ${text}</div>`;
  }

  protected override render() {
    const { entry, strings } = this;
    if (!entry) return nothing;
    const streaming = entry.progress === 'streaming';
    const agent = this.agentName || strings.agent;
    return html`
      <h3 class="visually-hidden">${format(strings.answered, { agent })}</h3>
      <inlay-markdown
        part="content"
        exportparts=${markdownParts}
        .text=${entry.text}
        ?streaming=${streaming}
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
