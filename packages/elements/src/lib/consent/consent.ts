import { css, html, LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { token } from '../theme/tokens.ts';

export { sendConsents } from './send-consents.ts';

/**
 * @summary A consent form in place of the composer, so that the conversation can still be read.
 *
 * @fires inlay-consent-given - The user accepts.
 *
 * @csspart base - The box.
 * @internal
 */
export class InlayConsent extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      .box {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: ${token('space-3')};
        max-block-size: 50cqb;
        padding: ${token('space-4')};
        border: 1px solid ${token('color-border-control')};
        border-radius: ${token('radius-large')};
        background: ${token('color-surface-raised')};
        box-shadow: ${token('shadow-raised')};
        font-size: ${token('font-size-small')};
        overflow-y: auto;
      }

      svg {
        color: ${token('color-accent-text')};
      }

      h3 {
        margin: 0 0 ${token('space-1')};
        font-size: inherit;
        font-weight: ${token('font-weight-strong')};
      }

      .button {
        grid-column: 2;
        justify-self: start;
      }
    `,
  ];

  /** Consent text in Markdown. */
  @property() text = '';

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  /** Moves focus into the form. */
  override focus(options?: FocusOptions) {
    this.renderRoot.querySelector('button')?.focus(options);
  }

  protected override render() {
    const { strings } = this;
    return html`<section class="box" part="base" tabindex="0" aria-labelledby="title">
      ${icons.lock}
      <div>
        <h3 id="title"><bdi>${strings.consentTitle}</bdi></h3>
        <inlay-markdown .text=${this.text} .strings=${strings}></inlay-markdown>
      </div>
      <button class="button primary" @click=${() => emit(this, 'inlay-consent-given', {})}>
        ${strings.accept}
      </button>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-consent': InlayConsent;
  }
}
