import type { AgentEntry } from '@inlay/client';
import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { format, timeOf } from '../i18n/format.ts';
import { english, type Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { isRegistered, need } from '../on-demand.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './agent-message.styles.ts';

/** How long the copy button says that it has copied, in milliseconds. */
const copiedFor = 1600;

/**
 * @summary An answer of the agent, as it grows and when it is done.
 *
 * @fires inlay-announce - The answer was copied.
 * @fires inlay-rate - The person finds the answer good or bad.
 *
 * @csspart content - The answer.
 * @csspart actions - The row of buttons below it.
 */
export class InlayAgentMessage extends LitElement {
  static override styles = [base, buttons, styles];

  #copiedTimer: ReturnType<typeof setTimeout> | undefined;

  @state() private copied = false;

  @property({ attribute: false }) entry: AgentEntry | null = null;

  /** Whether the person can rate the answer. */
  @property({ type: Boolean }) rateable = false;

  /** Origins from which images may be loaded. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];

  /** Who answers, for those who hear the conversation. */
  @property({ attribute: 'agent-name' }) agentName = '';

  @property({ attribute: false }) strings: Strings = english;

  override connectedCallback() {
    super.connectedCallback();
    void need('inlay-markdown');
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#copiedTimer);
    this.copied = false;
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.entry?.text ?? '');
    } catch {
      // The page has no permission. Not saying "copied" is the honest answer.
      return;
    }
    if (!this.isConnected) return;
    this.copied = true;
    emit(this, 'inlay-announce', { text: this.strings.copied });
    clearTimeout(this.#copiedTimer);
    this.#copiedTimer = setTimeout(() => {
      this.copied = false;
    }, copiedFor);
  }

  #renderRating(entry: AgentEntry, rating: 'up' | 'down') {
    const label = rating === 'up' ? this.strings.goodAnswer : this.strings.badAnswer;
    return html`<button
      class="icon-button"
      aria-label=${label}
      title=${label}
      aria-pressed=${entry.feedback === rating}
      @click=${() => emit(this, 'inlay-rate', { key: entry.key, rating })}
    >
      ${rating === 'up' ? icons.thumbUp : icons.thumbDown}
    </button>`;
  }

  #renderActions(entry: AgentEntry) {
    const { strings, copied } = this;
    const label = copied ? strings.copied : strings.copy;
    return html`<div class="actions" part="actions">
      <div class="quiet ${entry.feedback ? 'rated' : ''}">
        <button
          class="icon-button ${copied ? 'done' : ''}"
          aria-label=${label}
          title=${label}
          @click=${this.#copy}
        >
          ${copied ? icons.check : icons.copy}
        </button>
        ${
          this.rateable
            ? [this.#renderRating(entry, 'up'), this.#renderRating(entry, 'down')]
            : nothing
        }
        <time dir="auto" datetime=${new Date(entry.at).toISOString()}>
          ${timeOf(strings, entry.at, Date.now())}
        </time>
      </div>
    </div>`;
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
        .text=${entry.text}
        .streaming=${streaming}
        .imageOrigins=${this.imageOrigins}
        .strings=${strings}
        >${isRegistered('inlay-markdown') ? nothing : entry.text}</inlay-markdown
      >
      ${this.#renderEnd(entry)}
      ${streaming || !entry.text ? nothing : this.#renderActions(entry)}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-agent-message': InlayAgentMessage;
  }
}
