import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { format } from '../i18n/format.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { resetTime, timeOf } from '../i18n/times.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import {
  authViews,
  type BannerStatus,
  bannerStatusOf,
  type ChatStatus,
  composerModeFor,
} from './auth-views.ts';
import { banners } from './banners.ts';
import { styles } from './status.styles.ts';

/**
 * @summary Explains what limits the conversation at the moment, such as a lost connection or a revoked
 * token, and offers a remedy. Empty with the status `ok`.
 *
 * @fires inlay-announce - Requests an announcement of the status.
 * @fires inlay-reconnect - The user wants to reconnect.
 * @fires inlay-start-over - The user starts a new conversation.
 *
 * @csspart base - The box.
 * @internal
 */
export class InlayStatus extends LitElement {
  static override styles = [base, buttons, styles];

  /** Status that was last announced to screen reader users. */
  #announced = '';

  /** Content of the box that was last shown. It stays while the box fades out. */
  #content: TemplateResult | null = null;

  /** `ok`, or what limits the conversation. */
  @property() status: ChatStatus = 'ok';

  /** Whether requesting a new token can help. */
  @property({ type: Boolean, attribute: 'can-reconnect' }) canReconnect = false;

  /** Whether the user can start a new conversation. */
  @property({ attribute: false }) canStartOver = true;

  /** Whether the composer contains a draft. */
  @property({ type: Boolean }) draft = false;

  /** Whether a reconnect is pending. */
  @property({ type: Boolean }) busy = false;

  /** When the exhausted quota resets, in milliseconds since the epoch; null if unknown. */
  @property({ attribute: false }) resetsAt: number | null = null;

  /** Time of the next connection attempt, in milliseconds since the epoch; null if it is near. */
  @property({ attribute: false }) retryAt: number | null = null;

  /** Why the conversation has ended or the page has disabled the chat; empty for none. */
  @property() reason = '';

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override updated() {
    const bannerStatus = bannerStatusOf(this.status);
    const waiting = this.status === 'refreshing' && this.retryAt !== null ? this.#progress : '';
    const title = this.#titleOf(bannerStatus);
    const announcement = bannerStatus
      ? `${title ? `${title}. ` : ''}${this.#textOf(bannerStatus)}`
      : waiting;
    if (announcement === this.#announced) return;
    this.#announced = announcement;
    if (announcement) emit(this, 'inlay-announce', { text: announcement });
  }

  #renderActions(startOver: boolean) {
    const { strings, status } = this;
    // A new token does not raise a limit.
    const canReconnect = this.canReconnect && status !== 'over_budget';
    if (!canReconnect && !startOver) return nothing;
    // In a closed chat, a new token rarely helps: the button is secondary.
    const isSecondary = startOver || composerModeFor(status) === 'closed';
    return html`<div class="actions">
      ${
        canReconnect
          ? html`<button
              class="button ${isSecondary ? '' : 'primary'}"
              ?disabled=${this.busy}
              @click=${() => emit(this, 'inlay-reconnect', {})}
            >
              ${['signed_out', 'unavailable'].includes(status) ? strings.retry : strings.reconnect}
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

  #titleOf(status: BannerStatus | null): string {
    const title = status && authViews[status].title;
    return title ? this.strings[title] : '';
  }

  #textOf(status: BannerStatus): string {
    const { strings, resetsAt } = this;
    const { text } = banners[status];
    if (text === null || (status === 'closed' && this.reason)) return this.reason;
    if (status === 'over_budget' && resetsAt !== null) {
      return format(strings.quotaText, { time: resetTime(strings, resetsAt) });
    }
    // Their texts offer a new conversation.
    if (banners[status].startOver && !this.canStartOver) return '';
    // A hosted link gives no second token: the user needs a new link.
    if (status === 'expired' && !this.canReconnect) return strings.linkExpiredText;
    return format(strings[text], { origin: location.origin });
  }

  get #progress(): string {
    const { strings, retryAt } = this;
    if (retryAt === null) return strings.refreshing;
    return format(strings.waitingUntil, { time: timeOf(strings, retryAt, Date.now()) });
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
    const { strings } = this;
    const bannerStatus = bannerStatusOf(this.status);
    if (!bannerStatus) return null;
    const { composerMode } = authViews[bannerStatus];
    const { icon, tone, startOver } = banners[bannerStatus];
    const title = this.#titleOf(bannerStatus);
    const text = this.#textOf(bannerStatus);
    if (!title && !text) return null;
    return html`<div class="banner ${tone}" part="base">
      ${icons[icon]}
      <div class="words">
        ${title ? html`<strong><bdi>${title}</bdi></strong>` : nothing}
        <span
          ><bdi>${text} ${this.draft && composerMode !== 'open' ? strings.draftKept : nothing}</bdi></span
        >
      </div>
      ${this.#renderActions(startOver && this.canStartOver && this.resetsAt === null)}
    </div>`;
  }

  protected override render() {
    const banner = this.#renderBanner();
    this.#content = banner ?? this.#content;
    return html`${this.status === 'refreshing' ? this.#renderRefreshing() : nothing}
      ${this.#content && html`<div ?inert=${!banner}>${this.#content}</div>`}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-status': InlayStatus;
  }
}
