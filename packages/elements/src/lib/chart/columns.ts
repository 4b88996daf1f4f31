import { nothing, type SVGTemplateResult, svg } from 'lit';
import { valueAt } from './chart-data.ts';
import { drawArea, drawAxes, type Frame, frameOf, type Plot, textWidth } from './plot.ts';

/** The narrowest column that is still one, and the widest that does not look like a wall. */
const narrowest = 6;
const widest = 48;

const columnWidth = ({ band }: Frame, count: number) =>
  Math.min(widest, (band * 0.72) / count - (count > 1 ? 2 : 0));

/** Whether columns have room for themselves and for what is written below them. */
export function hasRoomForColumns(plot: Plot): boolean {
  const { labels, series } = plot.chart;
  const frame = frameOf(plot);
  const longest = Math.max(...labels.map(textWidth));
  return longest + 6 <= frame.band && columnWidth(frame, series.length) >= narrowest;
}

/** A column with round corners at the end that is away from zero. */
function columnPath(x: number, width: number, zero: number, end: number): string {
  const radius = Math.min(4, width / 2, Math.abs(end - zero));
  const towards = end < zero ? 1 : -1;
  const edge = end + radius * towards;
  return `M${x} ${zero}V${edge}Q${x} ${end} ${x + radius} ${end}H${x + width - radius}Q${x + width} ${end} ${x + width} ${edge}V${zero}Z`;
}

export function drawColumns(plot: Plot): SVGTemplateResult {
  const frame = frameOf(plot);
  const { labels, series } = plot.chart;
  const width = columnWidth(frame, series.length);
  const step = width + (series.length > 1 ? 2 : 0);
  const zero = frame.y(Math.max(plot.scale.min, Math.min(0, plot.scale.max)));
  const draw = (index: number, at: number) => {
    const each = series[at];
    const value = each && valueAt(each, index);
    if (!each || value === null || value === undefined) return nothing;
    const x = frame.x(index) - (step * series.length) / 2 + step * at + (step - width) / 2;
    const words = plot.numbers.full(value);
    const name = series.length > 1 ? `${labels[index]}, ${each.label}` : labels[index];
    const isWide = series.length === 1 && textWidth(plot.numbers.short(value)) < frame.band - 4;
    const end = frame.y(value);
    return svg`${drawArea(columnPath(x, width, zero, end), at, `${name}: ${words}`)}
      ${
        isWide
          ? svg`<text class="value" x=${x + width / 2} y=${value < 0 ? end + 14 : end - 6} text-anchor="middle">${plot.numbers.short(value)}</text>`
          : nothing
      }`;
  };
  return svg`${drawAxes(plot, frame)}
    ${labels.map((_, index) => series.map((_each, at) => draw(index, at)))}`;
}
