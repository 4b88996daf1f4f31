import type { Allowance } from '@inlay/protocol';
import { css, html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { english, type Strings } from '../i18n/all-strings.ts';
import { format } from '../i18n/format.ts';
import { resetTime } from '../i18n/times.ts';
import { base } from '../theme/base.styles.ts';
import { token } from '../theme/tokens.ts';

/**
 * @summary A meter that shows the used share of a quota or budget.
 *
 * @csspart base - The text and the meter.
 * @internal
 */
export class InlayQuota extends LitElement {
  static override styles = [
    base,
    css`
      div {
        display: grid;
        gap: ${token('space-1')};
        margin: 0 ${token('space-3')} ${token('space-2')};
        color: ${token('color-text-muted')};
        font-size: ${token('font-size-small')};
        line-height: ${token('line-height')};
      }

      meter {
        appearance: none;
        inline-size: 100%;
        block-size: 4px;
        border: 0;
        border-radius: ${token('radius-full')};
        background: ${token('color-border')};
        overflow: hidden;
      }

      meter::-webkit-meter-bar {
        block-size: 100%;
        border: 0;
        border-radius: inherit;
        background: ${token('color-border')};
      }

      meter::-webkit-meter-inner-element {
        block-size: 100%;
      }

      meter::-webkit-meter-optimum-value,
      meter::-webkit-meter-suboptimum-value,
      meter::-webkit-meter-even-less-good-value {
        border-radius: inherit;
        background: ${token('color-warning')};
      }

      meter::-moz-meter-bar {
        border-radius: inherit;
        background: ${token('color-warning')};
      }

      @media (forced-colors: active) {
        meter {
          border: 1px solid CanvasText;
          block-size: 8px;
        }
      }
    `,
  ];

  /** Used share and time of the next reset; null renders nothing. */
  @property({ attribute: false }) quota: Allowance | null = null;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override render() {
    const { quota, strings } = this;
    if (!quota) return nothing;
    const used = Math.min(1, quota.used);
    const percent = new Intl.NumberFormat(strings.locale, { style: 'percent' }).format(
      Math.floor(used * 100) / 100,
    );
    const template = quota.type === 'day' ? strings.dayUsed : strings.conversationUsed;
    const resetsAt = quota.resets_at ? Date.parse(quota.resets_at) : Number.NaN;
    const time = Number.isNaN(resetsAt) ? '' : resetTime(strings, resetsAt);
    return html`<div part="base">
      <bdi>${format(template, { percent })} ${time && format(strings.resetsAt, { time })}</bdi>
      <meter value=${used} max="1" aria-hidden="true"></meter>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-quota': InlayQuota;
  }
}
