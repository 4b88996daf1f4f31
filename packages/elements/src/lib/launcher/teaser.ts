import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import type { TeaserController } from './teaser-controller.ts';

/** Everything that the teaser's template renders. */
export interface TeaserView {
  readonly strings: Strings;
  /** The text, empty before it is first shown, and whether it is shown. */
  readonly teaser: Pick<TeaserController, 'text' | 'shown'>;
  readonly onOpen: () => void;
  readonly onDismiss: () => void;
}

/** Renders the teaser. The live region always exists, because screen readers announce changes only. */
export function renderTeaser({ strings, teaser, onOpen, onDismiss }: TeaserView): TemplateResult {
  const { text, shown } = teaser;
  return html`<div class="teaser ${shown ? '' : 'gone'}" part="teaser">
    <div role="status">
      ${
        text
          ? html`<button
              class="teaser-text"
              part="teaser-text"
              dir="auto"
              ?inert=${!shown}
              @click=${onOpen}
            >
              ${text}
            </button>`
          : nothing
      }
    </div>
    ${
      text
        ? html`<button
            class="teaser-close"
            aria-label=${strings.dismissTeaser}
            title=${strings.dismissTeaser}
            ?inert=${!shown}
            @click=${onDismiss}
          >
            ${icons.close}
          </button>`
        : nothing
    }
  </div>`;
}
