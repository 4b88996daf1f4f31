import { type SVGTemplateResult, svg } from 'lit';
import { valueAt } from './chart-data.ts';
import { drawAxes, frameOf, type Plot } from './plot.ts';

/** Maximum number of labels of a chart whose lines have marks at their points. */
const maxPoints = 31;

/** Marks that distinguish series without colour. */
const marks = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  'M-3.5-3.5h7v7h-7z',
  'M0-5l5 5-5 5-5-5z',
  'M0-4.5l4.5 8h-9z',
  'M0 4.5l4.5-8h-9z',
  'M-5 0h10M0-5v10',
];

export const markOf = (index: number) => marks[index % marks.length] ?? '';

interface Point {
  readonly x: number;
  readonly y: number;
  readonly title: string;
}

/** Sequences of points without missing values. */
function segmentsOf(plot: Plot, seriesIndex: number): Point[][] {
  const frame = frameOf(plot);
  const { labels, series } = plot.chart;
  const segments: Point[][] = [[]];
  for (const [index, label] of labels.entries()) {
    const dataSeries = series[seriesIndex];
    const value = dataSeries ? valueAt(dataSeries, index) : null;
    if (!dataSeries || value === null) {
      segments.push([]);
      continue;
    }
    const name = series.length > 1 ? `${label}, ${dataSeries.label}` : label;
    const title = `${name}: ${plot.numbers.full(value)}`;
    segments.at(-1)?.push({ x: frame.x(index), y: frame.y(value), title });
  }
  return segments.filter((segment) => segment.length > 0);
}

const pathOf = (points: readonly Point[]) => `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`;

export function drawLines(plot: Plot): SVGTemplateResult {
  const frame = frameOf(plot);
  const { labels, series } = plot.chart;
  return svg`${drawAxes(plot, frame)}
    ${series.map((_, seriesIndex) => {
      const segments = segmentsOf(plot, seriesIndex);
      // A single point has no line, and is only visible by its mark.
      const points = segments.flatMap((segment) =>
        labels.length <= maxPoints || segment.length === 1 ? segment : [],
      );
      return svg`<g class="c${seriesIndex % 6}">
        ${
          series.length === 1
            ? segments.map(
                (segment) => svg`<path
                  class="below"
                  d="${pathOf(segment)}V${frame.bottom}H${segment[0]?.x ?? 0}Z"
                />`,
              )
            : ''
        }
        ${segments.map((segment) => svg`<path class="line d${seriesIndex % 6}" d=${pathOf(segment)} />`)}
        ${points.map(
          ({ x, y, title }) => svg`<path
            class="point"
            transform="translate(${x} ${y})"
            d=${markOf(seriesIndex)}
          ><title>${title}</title></path>`,
        )}
      </g>`;
    })}`;
}
