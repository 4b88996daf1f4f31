import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';

/** What the teaser says, and does. */
export interface TeaserView {
  readonly words: Strings;
  /** Empty while there is nothing to say. */
  readonly text: string;
  readonly onOpen: () => void;
  readonly onDismiss: () => void;
}

/** The region is always there: a screen reader tells what is put into one that it knows. */
export function renderTeaser({ words, text, onOpen, onDismiss }: TeaserView): TemplateResult {
  return html`<div class=${text ? 'teaser' : nothing} part=${text ? 'teaser' : nothing}>
    <div role="status">
      ${
        text
          ? html`<button class="teaser-text" part="teaser-text" dir="auto" @click=${onOpen}>${text}</button>`
          : nothing
      }
    </div>
    ${
      text
        ? html`<button
            class="teaser-close"
            aria-label=${words.dismissTeaser}
            title=${words.dismissTeaser}
            @click=${onDismiss}
          >
            ${icons.close}
          </button>`
        : nothing
    }
  </div>`;
}
