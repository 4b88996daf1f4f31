import { html, nothing, render } from 'lit';
import { renderSource, type Source } from './sources.ts';

/** Distance of the card from the mark and from the edges of the window, in pixels. */
const gap = 8;

/** Popover with the source of a citation mark, opened by a click on the mark. */
export class SourceCard {
  readonly element = document.createElement('div');
  /** The mark whose source is shown. */
  #mark: HTMLElement | undefined;
  readonly #hide = () => {
    this.#unlisten();
    this.element.hidePopover();
  };
  /** Closes the card when the focus moves to an element outside the card and its mark. */
  readonly #handleFocusOut = ({ relatedTarget }: FocusEvent) => {
    const isInside = relatedTarget === this.#mark || this.element.contains(relatedTarget as Node);
    if (!isInside) this.#hide();
  };
  /** Closes the card with Escape, and stops the event so that it does not close the chat, too. */
  readonly #handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    const isOpen = this.element.matches(':popover-open');
    this.#hide();
    if (!isOpen) return;
    event.preventDefault();
    event.stopPropagation();
  };

  constructor() {
    this.element.className = 'source-card';
    this.element.setAttribute('part', 'source-card');
    this.element.popover = 'auto';
    this.element.addEventListener('toggle', (event) => {
      if (event instanceof ToggleEvent && event.newState === 'closed') this.#unlisten();
    });
  }

  /**
   * Shows a source below its mark, or above it if there is more space. In the focus order, the card
   * follows the mark. If the card was opened by this mark, it is closed instead.
   */
  show(mark: HTMLElement, source: Source): void {
    const { element } = this;
    const { snippet } = source;
    const isShown = mark === this.#mark;
    if (this.#mark) this.#hide();
    if (isShown) return;
    this.#mark = mark;
    render(
      html`${renderSource(source)}${snippet ? html`<p class="snippet">${snippet}</p>` : nothing}`,
      element,
    );
    element.showPopover({ source: mark });
    mark.ariaExpanded = 'true';
    const { top, bottom, left } = mark.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const below = bottom + gap + height <= innerHeight || top < innerHeight - bottom;
    const y = below ? bottom + gap : top - gap - height;
    const x = Math.max(
      gap,
      Math.min(left - gap, document.documentElement.clientWidth - width - gap),
    );
    element.style.setProperty('left', `${x}px`);
    element.style.setProperty('top', `${y}px`);
    // The popover does not move with the text, so scrolling closes it.
    addEventListener('scroll', this.#hide, true);
    addEventListener('keydown', this.#handleKey, true);
    mark.addEventListener('focusout', this.#handleFocusOut);
    element.addEventListener('focusout', this.#handleFocusOut);
  }

  /** Removes the listeners of the open card. */
  #unlisten() {
    removeEventListener('scroll', this.#hide, true);
    removeEventListener('keydown', this.#handleKey, true);
    this.element.removeEventListener('focusout', this.#handleFocusOut);
    if (!this.#mark) return;
    this.#mark.removeEventListener('focusout', this.#handleFocusOut);
    this.#mark.ariaExpanded = 'false';
    this.#mark = undefined;
  }
}

/** Whether the browser supports the Popover API. */
export const supportsPopover = () => 'popover' in HTMLElement.prototype;
