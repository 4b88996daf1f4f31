import type { ThinkingEntry } from '@inlay/client';
import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { duration, format } from '../i18n/format.ts';
import { english, type Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { styles } from './thinking.styles.ts';

/**
 * @summary What the agent thought before it answered, folded, with how long it took.
 *
 * @csspart summary - The line that folds and unfolds.
 * @csspart text - The thoughts.
 */
export class InlayThinking extends LitElement {
  static override styles = [base, styles];

  @property({ attribute: false }) entry: ThinkingEntry | null = null;

  @property({ attribute: false }) strings: Strings = english;

  #label({ progress, at, endedAt }: ThinkingEntry): string {
    const { strings } = this;
    if (progress === 'streaming') return strings.thinking;
    if (progress !== 'done' || endedAt === null) return strings.thoughtStopped;
    return format(strings.thoughtFor, { duration: duration(strings, endedAt - at) });
  }

  protected override render() {
    const { entry } = this;
    if (!entry) return nothing;
    const live = entry.progress === 'streaming';
    const label = html`<span class=${live ? 'live' : ''}>${this.#label(entry)}</span>`;
    // Some models think without showing it. Then there is nothing to unfold.
    if (!entry.text) return label;
    return html`<details>
      <summary part="summary">${label} ${icons.chevron}</summary>
      <div class="text" part="text" dir="auto" tabindex="0" role="group" aria-label=${this.strings.thinking}
        >${entry.text}</div
      >
    </details>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-thinking': InlayThinking;
  }
}
