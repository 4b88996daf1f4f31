import { css, html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { token } from '../theme/tokens.ts';

/**
 * @summary The question whether a user who has signed in keeps the conversations that this browser had before.
 *
 * @fires inlay-announce - Requests an announcement to screen reader users.
 *
 * @internal
 */
export class InlayVisitorClaim extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      section {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: ${token('space-2')} ${token('space-3')};
        margin-block-end: ${token('space-2')};
        padding: ${token('space-3')} ${token('space-4')};
        border: 1px solid ${token('color-border')};
        border-radius: ${token('radius-large')};
        background: ${token('color-surface-raised')};
        font-size: ${token('font-size-small')};
        line-height: ${token('line-height')};
      }

      .text {
        flex: 1 1 14em;
      }

      h3,
      p {
        margin: 0;
        font-size: inherit;
      }

      h3 {
        font-weight: ${token('font-weight-strong')};
      }

      p {
        color: ${token('color-text-muted')};
      }

      .actions {
        display: flex;
        gap: ${token('space-2')};
        margin-inline-start: auto;
      }

      .failed {
        display: flex;
        gap: ${token('space-2')};
        flex-basis: 100%;
        color: ${token('color-danger')};
      }
    `,
  ];

  @state() private progress: 'asking' | 'busy' | 'failed' = 'asking';

  /** Carries out the answer. If it rejects, the user may answer again. */
  @property({ attribute: false }) answer: (keep: boolean) => Promise<void> = async () => {};

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override firstUpdated() {
    emit(this, 'inlay-announce', { text: this.strings.keepEarlier });
  }

  protected override render() {
    const { progress, strings } = this;
    const busy = progress === 'busy';
    return html`<section aria-labelledby="question" aria-busy=${busy}>
      <div class="text">
        <h3 id="question"><bdi>${strings.keepEarlier}</bdi></h3>
        <p><bdi>${strings.keepEarlierText}</bdi></p>
      </div>
      <div class="actions">
        <button class="button" ?disabled=${busy} @click=${() => this.#answer(false)}>
          ${strings.no}
        </button>
        <button class="button primary" ?disabled=${busy} @click=${() => this.#answer(true)}>
          ${strings.yes}
        </button>
      </div>
      ${
        progress === 'failed'
          ? html`<p class="failed" role="alert">
              ${icons.alert}<bdi>${strings.conversationsFailed}</bdi>
            </p>`
          : nothing
      }
    </section>`;
  }

  async #answer(keep: boolean) {
    this.progress = 'busy';
    try {
      await this.answer(keep);
    } catch {
      this.progress = 'failed';
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-visitor-claim': InlayVisitorClaim;
  }
}
