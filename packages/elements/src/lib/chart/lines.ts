import { type SVGTemplateResult, svg } from 'lit';
import { valueAt } from './chart-data.ts';
import { drawAxes, frameOf, type Plot } from './plot.ts';

/** More points than this are drawn as a line alone. */
const mostPoints = 31;

/** A mark for each series, so that lines are told apart without their colours. */
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

/** Runs of points without a hole. */
function runsOf(plot: Plot, at: number): Point[][] {
  const frame = frameOf(plot);
  const { labels, series } = plot.chart;
  const runs: Point[][] = [[]];
  for (const [index, label] of labels.entries()) {
    const each = series[at];
    const value = each ? valueAt(each, index) : null;
    if (!each || value === null) {
      runs.push([]);
      continue;
    }
    const name = series.length > 1 ? `${label}, ${each.label}` : label;
    const title = `${name}: ${plot.numbers.full(value)}`;
    runs.at(-1)?.push({ x: frame.x(index), y: frame.y(value), title });
  }
  return runs.filter((run) => run.length > 0);
}

const pathOf = (run: readonly Point[]) => `M${run.map(({ x, y }) => `${x} ${y}`).join('L')}`;

export function drawLines(plot: Plot): SVGTemplateResult {
  const frame = frameOf(plot);
  const { labels, series } = plot.chart;
  return svg`${drawAxes(plot, frame)}
    ${series.map((_, at) => {
      const runs = runsOf(plot, at);
      // A point without a neighbour has no line that would show it.
      const points = runs.flatMap((run) =>
        labels.length <= mostPoints || run.length === 1 ? run : [],
      );
      return svg`<g class="c${at % 6}">
        ${
          series.length === 1
            ? runs.map(
                (run) => svg`<path
                  class="below"
                  d="${pathOf(run)}V${frame.bottom}H${run[0]?.x ?? 0}Z"
                />`,
              )
            : ''
        }
        ${runs.map((run) => svg`<path class="line d${at % 6}" d=${pathOf(run)} />`)}
        ${points.map(
          ({ x, y, title }) => svg`<path
            class="point"
            transform="translate(${x} ${y})"
            d=${markOf(at)}
          ><title>${title}</title></path>`,
        )}
      </g>`;
    })}`;
}
