/** The values of an axis: round ones, from the lowest to the highest. */
export interface Scale {
  readonly ticks: readonly number[];
  readonly min: number;
  readonly max: number;
  /** Where a value stands, from 0 at `min` to 1 at `max`. */
  readonly at: (value: number) => number;
}

/** 1, 2 or 5 times a power of ten, and at least as large as asked for. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((each) => each * power >= step * 0.999_999) ?? 10;
  return factor * power;
}

/**
 * An axis for these values with about `count` steps. It begins at 0 where lengths are compared
 * (`fromZero`), and where 0 is near.
 */
export function scaleFor(values: readonly number[], count: number, fromZero: boolean): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const nearZero = fromZero || (low > 0 && low < high / 2) || (high < 0 && high > low / 2);
  const from = nearZero ? Math.min(0, low) : low;
  const to = nearZero ? Math.max(0, high) : high;
  // Not finer than numbers of this size can be told apart.
  const spread = Math.max(to - from, Math.max(Math.abs(from), Math.abs(to)) * 1e-9, 1e-200);
  const step = roundStep(spread / count);
  const first = Math.floor(from / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(to / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => {
    // Multiplied, not added up, and cut, so that 0.1 + 0.2 stays 0.3.
    return Number(((first + index) * step).toPrecision(12));
  });
  const min = ticks[0] ?? 0;
  const max = ticks.at(-1) ?? 1;
  return { ticks, min, max, at: (value) => (value - min) / (max - min) };
}
