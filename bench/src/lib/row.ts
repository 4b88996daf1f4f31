import { median } from './statistics.ts';

/** A line of a report: a measured value with its baseline and its target. */
export interface Row {
  metric: string;
  unit: string;
  measured: number;
  /** Null if the benchmark has no baseline. */
  baseline: number | null;
  /**
   * Median of the ratios `measured / baseline` per round. Changes in the speed of the machine between
   * rounds affect it little.
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
  isMetBy(row: { measured: number; ratio: number | null }): boolean;
}

export const atMost = (limit: number, unit = ''): Target => ({
  text: `≤ ${limit}${unit && ` ${unit}`}`,
  isMetBy: ({ measured }) => measured <= limit,
});

/** An absolute limit. A value above it is accepted if its ratio to the baseline is small. */
export const atMostOrRatio = (limit: number, unit: string, ratio: number): Target => ({
  text: `≤ ${limit} ${unit} or ${ratio}×`,
  isMetBy: (row) => row.measured <= limit || (row.ratio !== null && row.ratio <= ratio),
});

export const zero: Target = { text: '0', isMetBy: ({ measured }) => measured === 0 };

export const ratioAtMost = (limit: number): Target => ({
  text: `≤ ${limit}×`,
  isMetBy: ({ ratio }) => ratio !== null && ratio <= limit,
});

export const ratioAtLeast = (limit: number): Target => ({
  text: `≥ ${limit}×`,
  isMetBy: ({ ratio }) => ratio !== null && ratio >= limit,
});

export interface Samples {
  metric: string;
  unit: string;
  /** One value per round. */
  measured: readonly number[];
  /** Values of the baseline in the same rounds. */
  baseline?: readonly number[];
  target?: Target;
}

export function toRow({ metric, unit, measured, baseline, target }: Samples): Row {
  const ratios = baseline ? roundRatios(measured, baseline) : null;
  const middle = median(measured);
  const ratio = ratios && median(ratios);
  return {
    metric,
    unit,
    measured: middle,
    baseline: baseline ? median(baseline) : null,
    ratio,
    spread: ratios && [Math.min(...ratios), Math.max(...ratios)],
    target: target?.text ?? null,
    met: target ? target.isMetBy({ measured: middle, ratio }) : null,
  };
}

/** Ratios per round; null if a baseline value is not positive. */
function roundRatios(measured: readonly number[], baseline: readonly number[]): number[] | null {
  if (measured.length !== baseline.length) {
    throw new RangeError(
      `${measured.length} measured rounds, but ${baseline.length} of the baseline.`,
    );
  }
  if (baseline.some((value) => value <= 0)) return null;
  return measured.map((value, round) => value / (baseline[round] ?? Number.NaN));
}
