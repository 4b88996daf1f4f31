/** The cost of one request for the platform. */
export interface Cost {
  /** Bytes of the request's body, or of its query. */
  bytesIn: number;
  bytesOut: number;
  /** Milliseconds of processor time of the platform's process. */
  processor: number;
  /** Milliseconds that its event loop was blocked at most. */
  delay: number;
}

/** Processor time below which growth is not judged, in milliseconds: it is mostly noise. */
const noise = 60;
/**
 * Growth allowed over a doubling of the input. Linear cost doubles and quadratic cost is four times
 * as much; the time between them is for the garbage collector and a busy machine.
 */
const steepest = 3;
/** Bytes of an answer that need no explanation, and those allowed for each byte of the request. */
const plainAnswer = 16_384;
const echo = 3;

/** Describes a fault in the costs of one input at doubling sizes, smallest first; null without one. */
export function judgeGrowth(costs: readonly Cost[]): string | null {
  const [before, last] = costs.slice(-2);
  if (before && last && last.processor > noise) {
    const times = last.processor / Math.max(before.processor, noise / 4);
    if (times > steepest) {
      return `Twice the input takes ${times.toFixed(1)} times the processor time: ${costs.map(({ processor }) => `${processor.toFixed(0)} ms`).join(', ')} for ${costs.map(({ bytesIn }) => `${Math.round(bytesIn / 1024)} KiB`).join(', ')}.`;
    }
  }
  const loud = costs.find(({ bytesIn, bytesOut }) => bytesOut > plainAnswer + echo * bytesIn);
  return loud ? `${loud.bytesIn} bytes are answered with ${loud.bytesOut}.` : null;
}
