import { nothing, type SVGTemplateResult, svg } from 'lit';
import { valueAt } from './chart-data.ts';
import { drawArea, drawAxes, type Frame, frameOf, type Plot, textWidth } from './plot.ts';

/** Bounds for the width of a column, in pixels. */
const minWidth = 6;
const maxWidth = 48;

const columnWidth = ({ band }: Frame, count: number) =>
  Math.min(maxWidth, (band * 0.72) / count - (count > 1 ? 2 : 0));

/** Whether there is enough room for the columns and the labels below them. */
export function hasRoomForColumns(plot: Plot): boolean {
  const { labels, series } = plot.chart;
  const frame = frameOf(plot);
  const longestLabel = Math.max(...labels.map(textWidth));
  return longestLabel + 6 <= frame.band && columnWidth(frame, series.length) >= minWidth;
}

/** Path of a column whose corners are rounded at the end opposite to zero. */
function columnPath(x: number, width: number, zero: number, end: number): string {
  const radius = Math.min(4, width / 2, Math.abs(end - zero));
  const towardsZero = end < zero ? 1 : -1;
  const edge = end + radius * towardsZero;
  return `M${x} ${zero}V${edge}Q${x} ${end} ${x + radius} ${end}H${x + width - radius}Q${x + width} ${end} ${x + width} ${edge}V${zero}Z`;
}

export function drawColumns(plot: Plot): SVGTemplateResult {
  const frame = frameOf(plot);
  const { labels, series } = plot.chart;
  const width = columnWidth(frame, series.length);
  const step = width + (series.length > 1 ? 2 : 0);
  const zero = frame.y(Math.max(plot.scale.min, Math.min(0, plot.scale.max)));
  const draw = (index: number, seriesIndex: number) => {
    const dataSeries = series[seriesIndex];
    const value = dataSeries && valueAt(dataSeries, index);
    if (!dataSeries || value === null || value === undefined) return nothing;
    const x = frame.x(index) - (step * series.length) / 2 + step * seriesIndex + (step - width) / 2;
    const formatted = plot.numbers.full(value);
    const name = series.length > 1 ? `${labels[index]}, ${dataSeries.label}` : labels[index];
    const hasValueLabel =
      series.length === 1 && textWidth(plot.numbers.short(value)) < frame.band - 4;
    const end = frame.y(value);
    return svg`${drawArea(columnPath(x, width, zero, end), seriesIndex, `${name}: ${formatted}`)}
      ${
        hasValueLabel
          ? svg`<text class="value" x=${x + width / 2} y=${value < 0 ? end + 14 : end - 6} text-anchor="middle">${plot.numbers.short(value)}</text>`
          : nothing
      }`;
  };
  return svg`${drawAxes(plot, frame)}
    ${labels.map((_, index) => series.map((_each, seriesIndex) => draw(index, seriesIndex)))}`;
}
