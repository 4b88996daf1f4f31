/** Cost of one request. */
export interface Cost {
  /** Bytes of the request body or query. */
  bytesIn: number;
  bytesOut: number;
  /** CPU time of the platform process, in milliseconds. */
  processor: number;
  /** Longest event-loop delay, in milliseconds. */
  delay: number;
}

/** CPU time in milliseconds below which growth is ignored as noise. */
const noiseMs = 60;
/**
 * Allowed growth when the input doubles. Linear cost doubles and quadratic cost quadruples; the margin
 * is for garbage collection and other load.
 */
const maxGrowth = 3;
/** Allowed bytes of a response: a base, and a number for each byte of the request. */
const baseResponseBytes = 16_384;
const responseBytesPerByte = 3;

/**
 * Describes processor time that grows too fast between the two largest inputs, or a response that is too
 * large for its request.
 *
 * @param costs Costs of inputs of doubling sizes, smallest first.
 * @returns The description; null if there is neither.
 */
export function checkGrowth(costs: readonly Cost[]): string | null {
  const [before, last] = costs.slice(-2);
  if (before && last && last.processor > noiseMs) {
    const factor = last.processor / Math.max(before.processor, noiseMs / 4);
    if (factor > maxGrowth) {
      return `Twice the input takes ${factor.toFixed(1)} times the processor time: ${costs.map(({ processor }) => `${processor.toFixed(0)} ms`).join(', ')} for ${costs.map(({ bytesIn }) => `${Math.round(bytesIn / 1024)} KiB`).join(', ')}.`;
    }
  }
  const oversized = costs.find(
    ({ bytesIn, bytesOut }) => bytesOut > baseResponseBytes + responseBytesPerByte * bytesIn,
  );
  return oversized
    ? `${oversized.bytesIn} bytes lead to a response of ${oversized.bytesOut} bytes.`
    : null;
}
