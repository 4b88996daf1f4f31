import { type SVGTemplateResult, svg } from 'lit';
import type { Numbers, Slice } from './chart-data.ts';
import { drawArea, patterns } from './plot.ts';

export const pieSize = 168;
const outer = pieSize / 2;
const inner = outer * 0.58;

const pointAt = (turn: number, radius: number) => {
  const angle = (turn - 0.25) * 2 * Math.PI;
  const place = (value: number) => (outer + radius * value).toFixed(2);
  return `${place(Math.cos(angle))} ${place(Math.sin(angle))}`;
};

const circle = (radius: number, sweep: 0 | 1) =>
  `M${pointAt(0, radius)}A${radius} ${radius} 0 1 ${sweep} ${pointAt(0.5, radius)}A${radius} ${radius} 0 1 ${sweep} ${pointAt(0, radius)}Z`;

/** A part of the ring, in turns from the top. */
function ringPath(from: number, to: number): string {
  // An arc that ends where it begins is none; the hole runs the other way around.
  if (to - from > 0.9999) return circle(outer, 1) + circle(inner, 0);
  const far = to - from > 0.5 ? 1 : 0;
  return `M${pointAt(from, outer)}A${outer} ${outer} 0 ${far} 1 ${pointAt(to, outer)}L${pointAt(to, inner)}A${inner} ${inner} 0 ${far} 0 ${pointAt(from, inner)}Z`;
}

export function drawPie(slices: readonly Slice[], numbers: Numbers): SVGTemplateResult {
  let from = 0;
  return svg`${patterns}
    ${slices.map(({ label, value, share }, index) => {
      const start = from;
      from = start + share;
      const title = `${label}: ${numbers.full(value)}, ${numbers.share(share)}`;
      return drawArea(ringPath(start, from), index, title);
    })}`;
}
