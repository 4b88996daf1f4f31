import type { StarterPrompt } from '@inlay/protocol';
import { css, html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { afterPaint } from '../controllers/after-paint.ts';
import { emit } from '../events.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { token } from '../theme/tokens.ts';

/**
 * @summary The content of an empty conversation: a greeting and starter suggestions.
 *
 * @fires inlay-submit-request - The user chooses a suggestion.
 *
 * @csspart greeting - The greeting.
 * @csspart suggestion - A starter suggestion.
 * @internal
 */
export class InlayWelcome extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        padding-block: ${token('space-4')};
        container-type: inline-size;
      }

      .mark {
        display: grid;
        place-items: center;
        inline-size: ${token('touch-size')};
        block-size: ${token('touch-size')};
        border-radius: ${token('radius-medium')};
        background: ${token('color-accent-soft')};
        color: ${token('color-accent-text')};
      }

      .mark svg {
        inline-size: 24px;
        block-size: 24px;
      }

      h3 {
        margin: ${token('space-4')} 0 0;
        font-size: ${token('font-size-title')};
        font-weight: ${token('font-weight-strong')};
        letter-spacing: -0.015em;
        line-height: ${token('line-height-tight')};
        text-wrap: balance;
        white-space: pre-line;
        overflow-wrap: anywhere;
      }

      p {
        margin: ${token('space-2')} 0 0;
        color: ${token('color-text-muted')};
        text-wrap: pretty;
      }

      ul {
        display: grid;
        gap: ${token('space-2')};
        margin: ${token('space-6')} 0 0;
        padding: 0;
        list-style: none;
      }

      button {
        display: flex;
        align-items: center;
        gap: ${token('space-3')};
        inline-size: 100%;
        block-size: 100%;
        min-block-size: 48px;
        padding: ${token('space-2')} ${token('space-4')};
        border: 1px solid ${token('color-border')};
        border-radius: ${token('radius-medium')};
        background: ${token('color-surface-raised')};
        line-height: ${token('line-height')};
        transition:
          background ${token('duration-fast')},
          border-color ${token('duration-fast')};
      }

      button span {
        flex: 1;
      }

      button svg {
        inline-size: ${token('icon-size-small')};
        block-size: ${token('icon-size-small')};
        color: ${token('color-text-muted')};
        rotate: 90deg;
      }

      button:dir(rtl) svg {
        rotate: -90deg;
      }

      button:hover:not(:disabled) {
        border-color: ${token('color-border-control')};
        background: ${token('color-accent-soft')};
      }

      button:disabled {
        color: ${token('color-text-muted')};
      }

      .skeleton {
        background: ${token('color-surface-soft')};
        animation: breathe ${token('duration-loop')} ease-in-out infinite;
      }

      .skeleton.line {
        inline-size: 62%;
        block-size: 26px;
        margin-block-start: ${token('space-4')};
        border-radius: ${token('radius-small')};
      }

      .skeleton.item {
        block-size: 48px;
        border-radius: ${token('radius-medium')};
      }

      @keyframes breathe {
        50% {
          opacity: 0.55;
        }
      }

      @container (inline-size > 520px) {
        ul {
          grid-template-columns: 1fr 1fr;
        }

        ul:has(> :nth-child(3):last-child) {
          grid-template-columns: repeat(3, 1fr);
        }

        li:nth-child(odd):last-child:not(:nth-child(3)) {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  /** The greeting; by default a localized one. */
  @property() greeting = '';

  /** The line below the greeting. */
  @property() description = '';

  /** The starter suggestions. */
  @property({ attribute: false }) starters: readonly StarterPrompt[] = [];

  /** Whether the agent's settings are still loading. */
  @property({ type: Boolean }) loading = false;

  /** Whether sending is disabled at the moment. */
  @property({ type: Boolean }) disabled = false;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  /** Defers the first render until the composer is painted. */
  protected override scheduleUpdate() {
    if (this.hasUpdated) return super.scheduleUpdate();
    return afterPaint().then(() => super.scheduleUpdate());
  }

  #renderStarter({ label, prompt }: StarterPrompt) {
    return html`<li>
      <button
        part="suggestion"
        ?disabled=${this.disabled}
        @click=${() => emit(this, 'inlay-submit-request', { text: prompt ?? label })}
      >
        <span><bdi>${label}</bdi></span>
        ${icons.send}
      </button>
    </li>`;
  }

  #renderSkeleton() {
    return html`
      <span class="visually-hidden">${this.strings.loading}</span>
      <div class="skeleton line"></div>
      <ul aria-hidden="true">
        ${[1, 2, 3].map(() => html`<li class="skeleton item"></li>`)}
      </ul>
    `;
  }

  #renderGreeting() {
    const { strings, starters } = this;
    return html`
      <h3 part="greeting"><bdi>${this.greeting || strings.greeting}</bdi></h3>
      ${this.description ? html`<p><bdi>${this.description}</bdi></p>` : nothing}
      ${
        starters.length > 0
          ? html`<ul aria-label=${strings.starters}>
              ${starters.map((starter) => this.#renderStarter(starter))}
            </ul>`
          : nothing
      }
    `;
  }

  protected override render() {
    return html`
      <div class="mark ${this.loading ? 'skeleton' : ''}">${this.loading ? nothing : icons.spark}</div>
      ${this.loading ? this.#renderSkeleton() : this.#renderGreeting()}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-welcome': InlayWelcome;
  }
}
