import { type SVGTemplateResult, svg } from 'lit';
import type { NumberFormats, Slice } from './chart-data.ts';
import { drawArea, patterns } from './plot.ts';

export const pieSize = 168;
const outerRadius = pieSize / 2;
const innerRadius = outerRadius * 0.58;

/** Coordinates of a point at a fraction of a turn, clockwise from the top. */
const pointAt = (fraction: number, radius: number) => {
  const angle = (fraction - 0.25) * 2 * Math.PI;
  const coordinate = (value: number) => (outerRadius + radius * value).toFixed(2);
  return `${coordinate(Math.cos(angle))} ${coordinate(Math.sin(angle))}`;
};

const circle = (radius: number, sweep: 0 | 1) =>
  `M${pointAt(0, radius)}A${radius} ${radius} 0 1 ${sweep} ${pointAt(0.5, radius)}A${radius} ${radius} 0 1 ${sweep} ${pointAt(0, radius)}Z`;

/** SVG path of a ring segment. `from` and `to` are fractions of a turn, clockwise from the top. */
function segmentPath(from: number, to: number): string {
  // SVG omits an arc whose ends are equal, so a full ring is two circles of opposite directions.
  if (to - from > 0.9999) return circle(outerRadius, 1) + circle(innerRadius, 0);
  const largeArc = to - from > 0.5 ? 1 : 0;
  return `M${pointAt(from, outerRadius)}A${outerRadius} ${outerRadius} 0 ${largeArc} 1 ${pointAt(to, outerRadius)}L${pointAt(to, innerRadius)}A${innerRadius} ${innerRadius} 0 ${largeArc} 0 ${pointAt(from, innerRadius)}Z`;
}

/** Draws a pie as a ring. */
export function drawPie(slices: readonly Slice[], numbers: NumberFormats): SVGTemplateResult {
  let from = 0;
  return svg`${patterns}
    ${slices.map(({ label, value, share }, index) => {
      const start = from;
      from = start + share;
      const title = `${label}: ${numbers.full(value)}, ${numbers.share(share)}`;
      return drawArea(segmentPath(start, from), index, title);
    })}`;
}
