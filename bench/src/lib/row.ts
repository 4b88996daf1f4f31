import { median } from './statistics.ts';

/** One line of a report: what was measured, beside its floor and its target. */
export interface Row {
  what: string;
  unit: string;
  ours: number;
  /** Null where the figure has none of its own. */
  floor: number | null;
  /** Ours to the floor: the median of the rounds' own ratios, which a drifting machine spoils least. */
  ratio: number | null;
  /** Smallest and largest ratio of the rounds. */
  spread: readonly [number, number] | null;
  /** In words; null where the row only explains another. */
  target: string | null;
  met: boolean | null;
}

export interface Target {
  text: string;
  holds(row: { ours: number; ratio: number | null }): boolean;
}

export const atMost = (limit: number, unit = ''): Target => ({
  text: `≤ ${limit}${unit && ` ${unit}`}`,
  holds: ({ ours }) => ours <= limit,
});

export const none: Target = { text: '0', holds: ({ ours }) => ours === 0 };

export const ratioAtMost = (limit: number): Target => ({
  text: `≤ ${limit}×`,
  holds: ({ ratio }) => ratio !== null && ratio <= limit,
});

export const ratioAtLeast = (limit: number): Target => ({
  text: `≥ ${limit}×`,
  holds: ({ ratio }) => ratio !== null && ratio >= limit,
});

export interface Samples {
  what: string;
  unit: string;
  /** One number for each round; those of `floor` were taken in the same rounds. */
  ours: readonly number[];
  floor?: readonly number[];
  target?: Target;
}

export function toRow({ what, unit, ours, floor, target }: Samples): Row {
  const ratios = floor ? roundRatios(ours, floor) : null;
  const middle = median(ours);
  const ratio = ratios && median(ratios);
  return {
    what,
    unit,
    ours: middle,
    floor: floor ? median(floor) : null,
    ratio,
    spread: ratios && [Math.min(...ratios), Math.max(...ratios)],
    target: target?.text ?? null,
    met: target ? target.holds({ ours: middle, ratio }) : null,
  };
}

/** Null where the floor was not above 0 in a round: nothing is a multiple of nothing. */
function roundRatios(ours: readonly number[], floor: readonly number[]): number[] | null {
  if (ours.length !== floor.length) {
    throw new RangeError(`${ours.length} rounds of ours, ${floor.length} of the floor.`);
  }
  if (floor.some((value) => value <= 0)) return null;
  return ours.map((value, round) => value / (floor[round] ?? Number.NaN));
}
