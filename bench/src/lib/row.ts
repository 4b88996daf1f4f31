import { median } from './statistics.ts';

/** A line of a report: a measured value with its baseline and its target. */
export interface Row {
  what: string;
  unit: string;
  ours: number;
  /** Value of the baseline; null if the figure has none. */
  floor: number | null;
  /**
   * Median of the ratios `ours / floor` per round, which is robust against drift of the machine.
   */
  ratio: number | null;
  /** Smallest and largest ratio. */
  spread: readonly [number, number] | null;
  /** Text of the target; null if the row has none. */
  target: string | null;
  met: boolean | null;
}

export interface Target {
  text: string;
  /** Whether a row meets the target. */
  isMetBy(row: { ours: number; ratio: number | null }): boolean;
}

export const atMost = (limit: number, unit = ''): Target => ({
  text: `≤ ${limit}${unit && ` ${unit}`}`,
  isMetBy: ({ ours }) => ours <= limit,
});

/** A limit that may be exceeded if the baseline alone takes almost as long. */
export const atMostOrFloor = (limit: number, unit: string, ratio: number): Target => ({
  text: `≤ ${limit} ${unit} or ${ratio}×`,
  isMetBy: (row) => row.ours <= limit || (row.ratio !== null && row.ratio <= ratio),
});

export const none: Target = { text: '0', isMetBy: ({ ours }) => ours === 0 };

export const ratioAtMost = (limit: number): Target => ({
  text: `≤ ${limit}×`,
  isMetBy: ({ ratio }) => ratio !== null && ratio <= limit,
});

export const ratioAtLeast = (limit: number): Target => ({
  text: `≥ ${limit}×`,
  isMetBy: ({ ratio }) => ratio !== null && ratio >= limit,
});

export interface Samples {
  what: string;
  unit: string;
  /** One value per round. `floor` has the values of the baseline in the same rounds. */
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
    met: target ? target.isMetBy({ ours: middle, ratio }) : null,
  };
}

/** Ratios per round; null if a baseline value is not positive. */
function roundRatios(ours: readonly number[], floor: readonly number[]): number[] | null {
  if (ours.length !== floor.length) {
    throw new RangeError(`${ours.length} rounds of ours, ${floor.length} of the floor.`);
  }
  if (floor.some((value) => value <= 0)) return null;
  return ours.map((value, round) => value / (floor[round] ?? Number.NaN));
}
