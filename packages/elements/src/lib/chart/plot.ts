import { nothing, type SVGTemplateResult, svg } from 'lit';
import type { ChartBlock, NumberFormats } from './chart-data.ts';
import type { Scale } from './scale.ts';

/** A chart with axes, and its size in pixels. */
export interface Plot {
  readonly chart: ChartBlock;
  readonly numbers: NumberFormats;
  readonly scale: Scale;
  readonly width: number;
  readonly height: number;
}

/** Average width of a character of the labels, in pixels. */
const characterWidth = 6.4;

/** Estimated width of a label, in pixels. */
export const textWidth = (text: string) => text.length * characterWidth;

export const plotHeight = 208;
const paddingTop = 20;
const paddingBottom = 26;

/** The area inside the axes, and the coordinates in it, in pixels. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Width available for one label. */
  readonly band: number;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

export function frameOf({ chart, numbers, scale, width, height }: Plot): Frame {
  const widest = Math.max(...scale.ticks.map((tick) => textWidth(numbers.short(tick))));
  const left = Math.ceil(widest) + 10;
  const right = width - 4;
  const top = paddingTop;
  const bottom = height - paddingBottom;
  const band = (right - left) / chart.labels.length;
  return {
    left,
    right,
    top,
    bottom,
    band,
    x: (index) => left + band * (index + 0.5),
    y: (value) => bottom - scale.positionOf(value) * (bottom - top),
  };
}

/** Draws the grid lines with their numbers, and as many labels as fit. */
export function drawAxes(plot: Plot, frame: Frame): SVGTemplateResult {
  const { left, right, bottom, band, x, y } = frame;
  const { labels } = plot.chart;
  const longestLabel = Math.max(...labels.map(textWidth));
  const interval = Math.max(1, Math.ceil((longestLabel + 10) / band));
  return svg`
    ${plot.scale.ticks.map(
      (tick) => svg`
        <line class=${tick === 0 ? 'zero' : 'grid'} x1=${left} x2=${right} y1=${y(tick)} y2=${y(tick)} />
        <text class="tick" x=${left - 8} y=${y(tick) + 4} text-anchor="end">${plot.numbers.short(tick)}</text>`,
    )}
    ${labels.map((label, index) => {
      if (index % interval !== 0) return nothing;
      const half = textWidth(label) / 2;
      const middle = Math.min(Math.max(x(index), half), right - half + 4);
      return svg`<text class="label" x=${middle} y=${bottom + 18} text-anchor="middle">${label}</text>`;
    })}
  `;
}

/** Patterns that distinguish areas without colour. The first area has none. */
export const patterns = svg`<defs>
  ${[
    'M-2 2l4-4M0 8l8-8M6 10l4-4',
    'M2 2h.01M6 6h.01',
    'M0 4h8',
    'M-2 6l4 4M0 0l8 8M6-2l4 4',
    'M4 0v8',
  ].map(
    (path, index) => svg`<pattern
      id="pattern-${index + 1}"
      class=${index === 1 ? 'dots' : ''}
      width="8"
      height="8"
      patternUnits="userSpaceOnUse"
    ><path d=${path} /></pattern>`,
  )}
</defs>`;

/** Draws an area in the colour and pattern of a series. */
export function drawArea(path: string, index: number, title: string): SVGTemplateResult {
  const style = index % 6;
  return svg`<g class="c${style}">
    <path class="area" d=${path}><title>${title}</title></path>
    ${style > 0 ? svg`<path class="pattern" d=${path} fill="url(#pattern-${style})" />` : nothing}
  </g>`;
}
