import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { format, timeUntil } from '../i18n/format.ts';
import { english, type Strings } from '../i18n/strings.ts';
import { icons } from '../icons/all-icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { type AuthView, type ChatStatus, viewOf } from './auth-views.ts';
import { styles } from './status.styles.ts';

/**
 * @summary Says why the person can't talk at the moment, and shows the way on. Empty while all is
 * well.
 *
 * @fires inlay-announce - What stands in the way is to be told to those who hear the page.
 * @fires inlay-reconnect - The person wants to be let in again.
 * @fires inlay-start-over - The person wants a new conversation.
 *
 * @csspart banner - The box.
 */
export class InlayStatus extends LitElement {
  static override styles = [base, buttons, styles];

  /** What was told last to those who hear the page. */
  #told = '';

  /** Whether the person may talk, and if not, why. */
  @property() status: ChatStatus = 'ok';

  /** Whether asking for a token once more can help. */
  @property({ type: Boolean, attribute: 'can-reconnect' }) canReconnect = false;

  /** Whether something unsent stands in the composer. */
  @property({ type: Boolean }) draft = false;

  /** Whether a reconnect is on its way. */
  @property({ type: Boolean }) busy = false;

  /** When what is used up begins anew, in milliseconds since the epoch; null where that is unknown. */
  @property({ attribute: false }) resetsAt: number | null = null;

  /** Why the conversation was ended, in words for the person; empty without. */
  @property() reason = '';

  /** The words, in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override updated() {
    const view = viewOf(this.status);
    const words = view ? `${this.strings[view.title]}. ${this.#textOf(view)}` : '';
    if (words === this.#told) return;
    this.#told = words;
    if (words) emit(this, 'inlay-announce', { text: words });
  }

  #renderActions(startOver: boolean) {
    const { strings, status } = this;
    if (!this.canReconnect && !startOver) return nothing;
    return html`<div class="actions">
      ${
        this.canReconnect
          ? html`<button
              class="button ${startOver ? '' : 'primary'}"
              ?disabled=${this.busy}
              @click=${() => emit(this, 'inlay-reconnect', {})}
            >
              ${status === 'signed_out' ? strings.retry : strings.reconnect}
            </button>`
          : nothing
      }
      ${
        startOver
          ? html`<button
              class="button primary"
              @click=${() => emit(this, 'inlay-start-over', {})}
            >
              ${strings.newConversation}
            </button>`
          : nothing
      }
    </div>`;
  }

  #textOf({ text }: AuthView): string {
    const { strings, status, resetsAt } = this;
    if (status === 'closed' && this.reason) return this.reason;
    if (status === 'over_budget' && resetsAt !== null) {
      return format(strings.quotaText, { time: timeUntil(strings, resetsAt, Date.now()) });
    }
    return format(strings[text], { origin: location.origin });
  }

  #renderBanner() {
    const { strings, status } = this;
    if (status === 'refreshing')
      return html`<div class="refreshing"><bdi>${strings.refreshing}</bdi></div>`;

    const view = viewOf(status);
    if (!view) return nothing;
    const text = this.#textOf(view);
    return html`<div class="banner ${view.tone}" part="banner">
      ${icons[view.icon]}
      <div class="words">
        <strong><bdi>${strings[view.title]}</bdi></strong>
        <span
          ><bdi>${text} ${this.draft && view.writing !== 'open' ? strings.draftKept : nothing}</bdi></span
        >
      </div>
      ${this.#renderActions(view.startOver && this.resetsAt === null)}
    </div>`;
  }

  protected override render() {
    return this.#renderBanner();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-status': InlayStatus;
  }
}
