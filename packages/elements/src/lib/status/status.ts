import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { format } from '../i18n/format.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { timeUntil } from '../i18n/times.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { authViews, type Barrier, barrierIn, type ChatStatus } from './auth-views.ts';
import { banners } from './banners.ts';
import { styles } from './status.styles.ts';

/**
 * @summary Says why the user can't talk at the moment, and shows the way on. Empty while all is
 * well.
 *
 * @fires inlay-announce - What stands in the way is to be told to those who hear the page.
 * @fires inlay-reconnect - The user wants to be let in again.
 * @fires inlay-start-over - The user wants a new conversation.
 *
 * @csspart base - The box.
 */
export class InlayStatus extends LitElement {
  static override styles = [base, buttons, styles];

  /** What was told last to those who hear the page. */
  #told = '';

  /** Whether the user may talk, and if not, why. */
  @property() status: ChatStatus = 'ok';

  /** Whether asking for a token again can help. */
  @property({ type: Boolean, attribute: 'can-reconnect' }) canReconnect = false;

  /** Whether something unsent stands in the composer. */
  @property({ type: Boolean }) draft = false;

  /** Whether a reconnect is on its way. */
  @property({ type: Boolean }) busy = false;

  /** When what is used up begins anew, in milliseconds since the epoch; null where that is unknown. */
  @property({ attribute: false }) resetsAt: number | null = null;

  /** When the connection is tried again, in milliseconds since the epoch, where that takes long. */
  @property({ attribute: false }) retryAt: number | null = null;

  /** Why the conversation was ended, in words for the user; empty without. */
  @property() reason = '';

  /** The words, in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override updated() {
    const barrier = barrierIn(this.status);
    const waiting = this.status === 'refreshing' && this.retryAt !== null ? this.#progress : '';
    const words = barrier
      ? `${this.strings[authViews[barrier].title]}. ${this.#textOf(barrier)}`
      : waiting;
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

  #textOf(status: Barrier): string {
    const { strings, resetsAt } = this;
    if (status === 'closed' && this.reason) return this.reason;
    if (status === 'over_budget' && resetsAt !== null) {
      return format(strings.quotaText, { time: timeUntil(strings, resetsAt, Date.now()) });
    }
    // A hosted link gives no second token: a new link is the only way on.
    if (status === 'expired' && !this.canReconnect) return strings.linkExpiredText;
    return format(strings[banners[status].text], { origin: location.origin });
  }

  get #progress(): string {
    const { strings, retryAt } = this;
    if (retryAt === null) return strings.refreshing;
    return format(strings.waitingUntil, { time: timeUntil(strings, retryAt, Date.now()) });
  }

  #renderRefreshing() {
    return html`<div class="refreshing">
      <bdi>${this.#progress}</bdi>
      ${
        this.canReconnect
          ? html`<button @click=${() => emit(this, 'inlay-reconnect', {})}>
              ${this.strings.reconnectNow}
            </button>`
          : nothing
      }
    </div>`;
  }

  #renderBanner() {
    const { strings, status } = this;
    if (status === 'refreshing') return this.#renderRefreshing();

    const barrier = barrierIn(status);
    if (!barrier) return nothing;
    const { title, writing } = authViews[barrier];
    const { icon, tone, startOver } = banners[barrier];
    const text = this.#textOf(barrier);
    return html`<div class="banner ${tone}" part="base">
      ${icons[icon]}
      <div class="words">
        <strong><bdi>${strings[title]}</bdi></strong>
        <span
          ><bdi>${text} ${this.draft && writing !== 'open' ? strings.draftKept : nothing}</bdi></span
        >
      </div>
      ${this.#renderActions(startOver && this.resetsAt === null)}
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
