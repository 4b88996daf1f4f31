import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';

/** Everything that the teaser's template renders. */
export interface TeaserView {
  readonly strings: Strings;
  /** Empty while the teaser is hidden. */
  readonly text: string;
  readonly onOpen: () => void;
  readonly onDismiss: () => void;
}

/** Renders the teaser. The live region always exists, because screen readers announce changes only. */
export function renderTeaser({ strings, text, onOpen, onDismiss }: TeaserView): TemplateResult {
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
            aria-label=${strings.dismissTeaser}
            title=${strings.dismissTeaser}
            @click=${onDismiss}
          >
            ${icons.close}
          </button>`
        : nothing
    }
  </div>`;
}
