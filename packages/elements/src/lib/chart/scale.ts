/** The scale of an axis. */
export interface Scale {
  /** Round numbers from `min` to `max`. */
  readonly ticks: readonly number[];
  readonly min: number;
  readonly max: number;
  /** Position of a value, from 0 at `min` to 1 at `max`. */
  readonly positionOf: (value: number) => number;
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((each) => each * power >= step * 0.999_999) ?? 10;
  return factor * power;
}

/**
 * Creates a scale for these values with about `count` steps.
 *
 * @param fromZero - Whether the scale must include 0, as bars need. Otherwise it includes 0 only if the
 *   values are near 0.
 */
export function scaleFor(values: readonly number[], count: number, fromZero: boolean): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const includesZero = fromZero || (low > 0 && low < high / 2) || (high < 0 && high > low / 2);
  const from = includesZero ? Math.min(0, low) : low;
  const to = includesZero ? Math.max(0, high) : high;
  // At least the precision of floating-point numbers of this magnitude.
  const spread = Math.max(to - from, Math.max(Math.abs(from), Math.abs(to)) * 1e-9, 1e-200);
  const step = roundStep(spread / count);
  const first = Math.floor(from / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(to / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => {
    // Rounded, because 3 * 0.1 is 0.30000000000000004.
    return Number(((first + index) * step).toPrecision(12));
  });
  const min = ticks[0] ?? 0;
  const max = ticks.at(-1) ?? 1;
  return { ticks, min, max, positionOf: (value) => (value - min) / (max - min) };
}
