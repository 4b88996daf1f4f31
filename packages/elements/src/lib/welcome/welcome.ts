import type { StarterPrompt } from '@inlay/protocol';
import { css, html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { afterPaint } from '../after-paint.ts';
import { emit } from '../events.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { token } from '../theme/tokens.ts';

/**
 * @summary The content of an empty conversation: a greeting and starter suggestions.
 *
 * @slot card - A card, between the greeting and the suggestions.
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
        display: flex;
        flex: 1;
        flex-direction: column;
        gap: ${token('space-6')};
        container-type: inline-size;
      }

      /* The greeting is in the middle of the space above the suggestions; in a wide chat, it is next to them. */
      .hero {
        display: grid;
        justify-items: center;
        gap: ${token('space-4')};
        margin-block: auto;
        text-align: center;
        text-wrap: balance;
      }

      /* The agent's avatar, if it has one, otherwise the icon. */
      .mark {
        display: grid;
        place-items: center;
        inline-size: 48px;
        block-size: 48px;
        border-radius: ${token('avatar-radius')};
        background: ${token('color-accent-soft')};
        background-image: ${token('avatar-agent')};
        background-size: min(100%, 99 * ${token('avatar-size')});
        color: ${token('color-accent-text')};
      }

      .mark svg {
        inline-size: max(0px, 28px - 99 * ${token('avatar-size')});
        block-size: 28px;
      }

      h3,
      .pending {
        margin: 0;
        font-size: ${token('font-size-title')};
        font-weight: ${token('font-weight-strong')};
        letter-spacing: -0.015em;
        line-height: ${token('line-height-tight')};
        white-space: pre-line;
        overflow-wrap: anywhere;
      }

      ::slotted(*) {
        align-self: center;
        inline-size: min(100%, 480px);
      }

      ul {
        display: flex;
        flex-direction: column;
        gap: ${token('space-2')};
        margin: 0;
        padding: 0;
        list-style: none;
      }

      button {
        display: flex;
        align-items: center;
        gap: ${token('space-3')};
        inline-size: 100%;
        min-block-size: 48px;
        padding: ${token('space-2')} ${token('space-4')};
        border: 1px solid ${token('color-border')};
        border-radius: ${token('radius-medium')};
        background: ${token('color-surface-raised')};
      }

      button span {
        flex: 1;
      }

      button svg {
        inline-size: ${token('icon-size-small')};
        color: ${token('color-text-muted')};
        rotate: 90deg;
      }

      button:dir(rtl) svg {
        rotate: -90deg;
      }

      button:hover:not(:disabled) {
        background: ${token('color-accent-soft')};
      }

      button:disabled {
        color: ${token('color-text-muted')};
      }

      /* Reserves the line of the greeting, so that the icon does not move when it has loaded. */
      .pending {
        opacity: 0;
      }

      .loading {
        animation: breathe ${token('duration-loop')} ease-in-out infinite;
      }

      @keyframes breathe {
        50% {
          opacity: 0.5;
        }
      }

      @container (inline-size > 520px) {
        .hero {
          margin-block-end: 0;
        }

        h3,
        .pending {
          font-size: calc(${token('font-size-title')} * 1.25);
        }

        ul {
          flex-flow: wrap;
          justify-content: center;
        }

        button {
          min-block-size: ${token('touch-size')};
          border-radius: ${token('radius-field')};
        }

        button svg {
          display: none;
        }
      }
    `,
  ];

  /** The greeting; by default a localized one. */
  @property() greeting = '';

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
        @click=${({ detail }: MouseEvent) =>
          detail !== 2 && emit(this, 'inlay-submit-request', { text: prompt ?? label })}
      >
        <span><bdi>${label}</bdi></span>
        ${icons.send}
      </button>
    </li>`;
  }

  protected override render() {
    const { strings, starters } = this;
    if (this.loading) {
      return html`<div class="hero">
        <div class="mark loading">${icons.spark}</div>
        <span class="pending">${strings.loading}</span>
      </div>`;
    }
    return html`
      <div class="hero">
        <div class="mark">${icons.spark}</div>
        <h3 part="greeting"><bdi>${this.greeting || strings.greeting}</bdi></h3>
      </div>
      <slot name="card"></slot>
      ${
        starters.length > 0
          ? html`<ul aria-label=${strings.starters}>
              ${starters.map((starter) => this.#renderStarter(starter))}
            </ul>`
          : nothing
      }
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-welcome': InlayWelcome;
  }
}
