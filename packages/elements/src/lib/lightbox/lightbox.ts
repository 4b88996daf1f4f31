import { css, html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { english, type Strings } from '../i18n/all-strings.ts';
import { format } from '../i18n/format.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { token } from '../theme/tokens.ts';
import { externalLink } from '../untrusted-text.ts';

/** A picture that can be enlarged. */
export interface Picture {
  readonly src: string;
  /** Its description or file name. */
  readonly name: string;
}

/**
 * @summary Pictures in a modal dialog, which opens when the element is inserted. The element removes
 * itself when the dialog is closed.
 *
 * The arrow keys show the other pictures, Escape and a click beside the picture close the dialog.
 *
 * @internal
 */
export class InlayLightbox extends LitElement {
  static override styles = [
    base,
    buttons,
    css`
      dialog[open] {
        display: grid;
        opacity: 1;
      }

      @starting-style {
        dialog[open] {
          opacity: 0;
        }
      }

      dialog {
        grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
        inline-size: 100%;
        max-inline-size: none;
        block-size: 100%;
        max-block-size: none;
        margin: 0;
        padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom)
          env(safe-area-inset-left);
        border: 0;
        background: ${token('color-surface')};
        color: ${token('color-text')};
        overscroll-behavior: contain;
        opacity: 0;
        transition: ${token('duration')} ${token('easing')} allow-discrete;
        transition-property: opacity, display, overlay;
      }

      .bar {
        display: flex;
        align-items: center;
        gap: ${token('space-1')};
        padding-block: ${token('space-2')};
        padding-inline: ${token('space-4')} ${token('space-2')};
      }

      h2 {
        flex: 1;
        margin: 0;
        overflow: hidden;
        font-size: ${token('font-size')};
        font-weight: ${token('font-weight-medium')};
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .count {
        color: ${token('color-text-muted')};
        font-size: ${token('font-size-small')};
        font-variant-numeric: tabular-nums;
      }

      .previous svg {
        rotate: 90deg;
      }

      .next svg {
        rotate: -90deg;
      }

      :is(.previous, .next):dir(rtl) svg {
        scale: 1 -1;
      }

      .picture {
        display: grid;
        place-items: center;
        padding: 0 ${token('space-4')} ${token('space-4')};
      }

      img {
        min-block-size: 0;
        max-inline-size: 100%;
        max-block-size: 100%;
        border-radius: ${token('radius-small')};
        object-fit: contain;
      }
    `,
  ];

  /** The pictures. */
  @property({ attribute: false }) pictures: readonly Picture[] = [];

  /** Index of the picture that is shown. */
  @property({ type: Number }) index = 0;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override firstUpdated() {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  #show(step: number) {
    const { length } = this.pictures;
    this.index = (this.index + step + length) % length;
  }

  #handleKeydown(event: KeyboardEvent) {
    // The page and the chat behind the dialog have other uses for these keys, such as closing the panel.
    event.stopPropagation();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    if (step !== 0) this.#show(this.matches(':dir(rtl)') ? -step : step);
  }

  #handleClick({ target }: Event) {
    if ((target as Element).matches('.picture')) this.renderRoot.querySelector('dialog')?.close();
  }

  /** Removes the element after the dialog has faded out. */
  async #handleClose({ target }: Event) {
    const animations = (target as Element).getAnimations();
    await Promise.allSettled(animations.map(({ finished }) => finished));
    this.remove();
  }

  #renderStep(className: string, label: string, step: number) {
    return html`<button
      class="icon-button ${className}"
      aria-label=${label}
      title=${label}
      @click=${() => this.#show(step)}
    >
      ${icons.chevron}
    </button>`;
  }

  protected override render() {
    const { index, pictures, strings } = this;
    const picture = pictures[index];
    if (!picture) return nothing;
    const { src, name } = picture;
    const number = new Intl.NumberFormat(strings.locale);
    const download = format(strings.downloadFile, { name });
    return html`<dialog
      aria-labelledby="name"
      @close=${this.#handleClose}
      @keydown=${this.#handleKeydown}
      @click=${this.#handleClick}
    >
      <div class="bar">
        <h2 id="name" aria-live="polite"><bdi>${name}</bdi></h2>
        ${
          pictures.length > 1
            ? html`<span class="count"
                  >${number.format(index + 1)}/${number.format(pictures.length)}</span
                >
                ${this.#renderStep('previous', strings.previousPicture, -1)}
                ${this.#renderStep('next', strings.nextPicture, 1)}`
            : nothing
        }
        <a
          class="icon-button"
          href=${src}
          download=${name}
          target=${externalLink.target}
          rel=${externalLink.rel}
          referrerpolicy=${externalLink.referrerpolicy}
          aria-describedby=${externalLink['aria-describedby']}
          aria-label=${download}
          title=${download}
          >${extraIcons.download}</a
        >
        <span id="new-tab" hidden>${strings.opensNewTab}</span>
        <button
          class="icon-button close"
          aria-label=${strings.closePicture}
          title=${strings.closePicture}
          autofocus
          @click=${() => this.renderRoot.querySelector('dialog')?.close()}
        >
          ${icons.close}
        </button>
      </div>
      <div class="picture">
        <img src=${src} alt=${name} referrerpolicy=${externalLink.referrerpolicy} />
      </div>
    </dialog>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-lightbox': InlayLightbox;
  }
}
