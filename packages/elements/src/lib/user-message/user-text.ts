import { css, html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { base } from '../theme/base.styles.ts';
import { token } from '../theme/tokens.ts';
import { externalLink } from '../untrusted-text.ts';

/** Matches a URL without the punctuation that follows it. */
const url = /(https?:\/\/[^\s<>"]*[^\s<>"'.,:;!?()[\]{}])/;

/**
 * @summary The text of a user message that is long or contains a URL. More than 12 lines are collapsed.
 *
 * @fires inlay-link-request - A link is about to be opened. Prevent it to cancel.
 * @fires inlay-link - A link was opened.
 * @internal
 */
export class InlayUserText extends LitElement {
  static override styles = [
    base,
    css`
      .collapsed {
        max-block-size: 12lh;
        overflow: hidden;
        mask-image: linear-gradient(to top, transparent, black 2lh);
      }

      a {
        color: inherit;
        text-underline-offset: 3px;
      }

      /* Positioned above the hidden lines of the text, which overflow behind it. */
      button {
        position: relative;
        min-block-size: ${token('control-size')};
        font-weight: ${token('font-weight-medium')};
        text-decoration: underline;
        text-underline-offset: 3px;
      }

      @media (pointer: coarse) {
        button {
          min-block-size: ${token('touch-size')};
        }
      }

      @media print {
        .collapsed {
          max-block-size: none;
          mask-image: none;
        }
      }
    `,
  ];

  /** Whether the text is collapsed if it is too long. */
  @state() private collapsed = true;

  /** The text. */
  @property({ attribute: false }) text = '';

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override firstUpdated() {
    const box = this.renderRoot.querySelector('.collapsed');
    // Measured before the first paint. A hidden message has no height, and is not collapsed.
    if (box && box.scrollHeight <= box.clientHeight) this.collapsed = false;
  }

  async #showAll() {
    this.collapsed = false;
    await this.updateComplete;
    this.renderRoot.querySelector('div')?.focus({ preventScroll: true });
  }

  #handleLink(event: Event) {
    const { href } = event.currentTarget as HTMLAnchorElement;
    if (emit(this, 'inlay-link-request', { href })) emit(this, 'inlay-link', { href });
    else event.preventDefault();
  }

  #renderPart(part: string, index: number) {
    if (index % 2 === 0) return part;
    const { target, rel, referrerpolicy, 'aria-describedby': note } = externalLink;
    return html`<a
      href=${part}
      target=${target}
      rel=${rel}
      referrerpolicy=${referrerpolicy}
      aria-describedby=${note}
      @click=${this.#handleLink}
      >${part}</a
    >`;
  }

  protected override render() {
    return html`<div class=${this.collapsed ? 'collapsed' : ''} tabindex="-1">${this.text
      .split(url)
      .map((part, index) => this.#renderPart(part, index))}</div
      ><span id="new-tab" hidden>${this.strings.opensNewTab}</span
      >${
        this.collapsed
          ? html`<button aria-expanded="false" @click=${this.#showAll}>${this.strings.toolShowAll}</button>`
          : nothing
      }`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-user-text': InlayUserText;
  }
}
