import type { NoticeEntry } from '@inlay/client';
import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { DeveloperNote } from '../chat/developer-note.ts';
import { type EntryUiStates, updateUiState } from '../entry-ui-state.ts';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { format } from '../i18n/format.ts';
import { resetTime } from '../i18n/times.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { token } from '../theme/tokens.ts';

const errorStrings: Readonly<Record<string, keyof Strings & `error${string}`>> = {
  model_request_failed_error: 'errorModel',
  model_overloaded_error: 'errorOverloaded',
  model_rate_limited_error: 'errorOverloaded',
  billing_error: 'errorBudget',
  EMBED_BUDGET_EXCEEDED: 'errorBudget',
  EMBED_QUOTA_EXCEEDED: 'errorQuota',
  answer_too_long_error: 'errorTooLong',
  run_limit_error: 'errorTooLong',
  model_stalled_error: 'errorStalled',
  answer_cut_off_error: 'errorTooLong',
  answer_filtered_error: 'errorFiltered',
  answer_empty_error: 'errorEmpty',
  mcp_connection_failed_error: 'errorTool',
  mcp_authentication_failed_error: 'errorTool',
};

/** Error codes of exhausted limits. Retrying does not help, so the notice shows the reset time. */
const limitCodes = new Set(['billing_error', 'EMBED_BUDGET_EXCEEDED', 'EMBED_QUOTA_EXCEEDED']);

/**
 * @summary A notice of an error during a run. Texts of the server are never shown.
 *
 * @fires inlay-announce - Requests an announcement of the error.
 * @fires inlay-retry-last - The user wants to send the last message again.
 * @fires inlay-submit-request - The user wants the agent to continue an answer that was cut off.
 *
 * @csspart base - The notice.
 * @internal
 */
export class InlayNotice extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      .notice {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: ${token('space-2')} ${token('space-3')};
        max-inline-size: ${token('measure')};
        padding: ${token('space-2')} ${token('space-3')};
        border: 1px solid color-mix(in oklab, ${token('color-danger')} 28%, transparent);
        border-radius: ${token('radius-medium')};
        background: ${token('color-danger-soft')};
        font-size: ${token('font-size-small')};
      }

      svg {
        color: ${token('color-danger')};
      }

      .limit {
        border-color: ${token('color-border')};
        background: ${token('color-surface-soft')};
      }

      .limit svg {
        color: ${token('color-text-muted')};
      }

      .button svg {
        inline-size: ${token('icon-size-small')};
        block-size: ${token('icon-size-small')};
        color: inherit;
      }

      p {
        flex: 1 1 12em;
        margin: 0;
      }
    `,
  ];

  /** The entry of the notice. */
  @property({ attribute: false }) entry: NoticeEntry | null = null;

  /** Whether it is the last entry, so that it can offer a retry. */
  @property({ type: Boolean }) last = false;

  /** Whether there is a message to send again. */
  @property({ attribute: false }) repeatable = true;

  /** Whether the agent message above it was interrupted by the error. */
  @property({ type: Boolean }) interrupts = false;

  /** When an exhausted quota resets, in milliseconds since the epoch; null if unknown. */
  @property({ attribute: false }) resetsAt: number | null = null;

  /** Stores whether the notice was announced while the element is not in the document. */
  @property({ attribute: false }) uiStates: EntryUiStates = new Map();

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override willUpdate(changed: PropertyValues<this>) {
    const { entry, uiStates } = this;
    if (!changed.has('entry') || !entry || uiStates.get(entry.key)?.announced) return;
    updateUiState(uiStates, entry.key, { announced: true });
    if (this.last && entry.code.startsWith('model_')) this.#reportModelFailure();
    // The interruption is announced with the message.
    if (this.#visibleTextOf(entry) === this.strings.brokeOff) return;
    // Dispatched after this update, because listeners may request another one.
    queueMicrotask(() => emit(this, 'inlay-announce', { text: this.#announcementOf(entry) }));
  }

  /** Only the owner of the page can solve it. Older notices are not reported, because answers followed. */
  #reportModelFailure() {
    let root = this.getRootNode();
    while (root instanceof ShadowRoot && root.host.localName !== 'inlay-chat') {
      root = root.host.getRootNode();
    }
    if (!(root instanceof ShadowRoot)) return;
    new DeveloperNote(root.host).reportText(
      'The agent’s model failed. The log of the platform has the reason (“model call failed”).',
    );
  }

  /** The interruption itself was announced with the message. */
  #announcementOf(entry: NoticeEntry): string {
    const { brokeOff } = this.strings;
    return this.#visibleTextOf(entry) === brokeOff ? '' : this.#textOf(entry);
  }

  #textOf({ code }: NoticeEntry): string {
    const known = Object.hasOwn(errorStrings, code) ? errorStrings[code] : undefined;
    return this.strings[known ?? 'errorOther'] + this.#resetTimeText(code);
  }

  /** Omits the text of a general error below an interrupted message, because it adds no information. */
  #visibleTextOf(entry: NoticeEntry): string {
    const text = this.#textOf(entry);
    // These texts say that the answer is not complete.
    if (!this.interrupts || /^answer_[cf]/.test(entry.code)) return text;
    const { brokeOff, errorModel, errorOther } = this.strings;
    return [errorModel, errorOther].includes(text) ? brokeOff : `${brokeOff}. ${text}`;
  }

  #resetTimeText(code: string): string {
    if (!limitCodes.has(code) || this.resetsAt === null) return '';
    const when = resetTime(this.strings, this.resetsAt);
    return ` ${format(this.strings.errorResets, { when })}`;
  }

  protected override render() {
    const { entry } = this;
    if (!entry) return nothing;
    return html`<div class="notice ${limitCodes.has(entry.code) ? 'limit' : ''}" part="base">
      ${limitCodes.has(entry.code) ? icons.lock : icons.alert}
      <p><bdi>${this.#visibleTextOf(entry)}</bdi></p>
      ${entry.retryable && this.last && this.repeatable ? this.#renderAction(entry) : nothing}
    </div>`;
  }

  #renderAction({ code }: NoticeEntry) {
    const { continueAnswer: text, retry } = this.strings;
    // Without a text, there is nothing to continue.
    const continues = this.interrupts && code === 'answer_cut_off_error';
    return html`<button
      class="button"
      @click=${() =>
        continues
          ? emit(this, 'inlay-submit-request', { text })
          : emit(this, 'inlay-retry-last', {})}
    >
      ${continues ? text : [icons.retry, retry]}
    </button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-notice': InlayNotice;
  }
}
