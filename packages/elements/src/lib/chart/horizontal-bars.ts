import { html, nothing, svg } from 'lit';
import { type ChartBlock, type NumberFormats, valueAt } from './chart-data.ts';
import { patterns } from './plot.ts';
import type { Scale } from './scale.ts';

const percent = (part: number) => `${(part * 100).toFixed(3)}%`;

/** Renders horizontal bars below their labels, for long labels, many labels and narrow charts. */
export function renderHorizontalBars(
  { labels, series }: ChartBlock,
  numbers: NumberFormats,
  scale: Scale,
) {
  const zero = scale.positionOf(Math.max(scale.min, Math.min(0, scale.max)));
  const renderBar = (value: number, seriesIndex: number) => {
    const end = scale.positionOf(value);
    const start = Math.min(zero, end);
    const width = Math.abs(end - zero);
    const bar = (className: string, fill: string | typeof nothing) =>
      svg`<rect class=${className} x=${percent(start)} width=${percent(width)} height="100%" rx="3" fill=${fill} />`;
    return html`<svg class="bar c${seriesIndex % 6}" height="12">
      ${patterns}
      <rect class="track" width="100%" height="100%" rx="3" />
      ${bar('area', nothing)} ${seriesIndex % 6 > 0 ? bar('pattern', `url(#pattern-${seriesIndex % 6})`) : nothing}
    </svg>`;
  };
  return html`<div class="rows">
    ${labels.map(
      (label, index) =>
        html`<div class="row">
          <span class="label"><bdi>${label}</bdi></span>
          ${series.map((each, seriesIndex) => {
            const value = valueAt(each, index);
            return html`<span class="value"><bdi>${value === null ? '–' : numbers.full(value)}</bdi></span>
              ${value === null ? html`<span class="bar"></span>` : renderBar(value, seriesIndex)}`;
          })}
        </div>`,
    )}
  </div>`;
}
