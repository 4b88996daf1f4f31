import type { AnswerFault, BufferFault, CutFault, Side } from './fault.ts';
import type { AppliedFault } from './rules.ts';

/** Combined effect of the faults of an exchange on one of its directions. */
export interface Plan {
  readonly cut: { fault: CutFault; onEffect(): void } | null;
  /** Delay of each chunk in milliseconds. */
  readonly delay: number;
  /** Maximum bytes per write; null without a `split` fault. */
  readonly split: number | null;
  readonly bytesPerSecond: number | null;
  readonly buffer: BufferFault | null;
  /** Prefixes of the names of headers that are removed. */
  readonly strippedHeaders: readonly string[];
  /** Resolves when the response may be sent; null if it may be sent at once. */
  readonly turn: Promise<void> | null;
  /** Whether all bytes are dropped. */
  readonly isDropped: boolean;
}

export function planOf(appliedFaults: readonly AppliedFault[], side: Side): Plan {
  const faults = appliedFaults.map(({ fault }) => fault);
  const isOnSide = <Item extends { side?: Side }>(fault: Item) => (fault.side ?? 'answer') === side;
  const delays = faults.filter((fault) => fault.type === 'delay').filter(isOnSide);
  const splits = faults.filter((fault) => fault.type === 'split').filter(isOnSide);
  const throttles = faults.filter((fault) => fault.type === 'throttle').filter(isOnSide);
  const isResponse = side === 'answer';
  const replacement = replacementOf(appliedFaults);
  return {
    cut: cutOf(appliedFaults, side),
    delay: delays.reduce((sum, { ms }) => sum + ms, 0),
    split: minOf(splits.map(({ bytes = 1 }) => bytes)),
    bytesPerSecond: minOf(throttles.map(({ bytesPerSecond }) => bytesPerSecond)),
    buffer: (isResponse && faults.find((fault) => fault.type === 'buffer')) || null,
    strippedHeaders: isResponse
      ? faults.filter((fault) => fault.type === 'strip-headers').map(({ prefix }) => prefix)
      : [],
    turn: isResponse ? allTurns(appliedFaults) : null,
    isDropped: replacement !== null && (isResponse || !replacement.reachesServer),
  };
}

/** Finds the response that replaces the server's; null if there is none. */
export function replacementOf(appliedFaults: readonly AppliedFault[]): AnswerFault | null {
  return appliedFaults.map(({ fault }) => fault).find((fault) => fault.type === 'answer') ?? null;
}

function cutOf(appliedFaults: readonly AppliedFault[], side: Side): Plan['cut'] {
  for (const applied of appliedFaults) {
    const { fault } = applied;
    const cut: CutFault | null =
      fault.type === 'cut'
        ? fault
        : fault.type === 'lose-answer'
          ? { type: 'cut', how: fault.how ?? 'half-open' }
          : null;
    if (cut && (cut.side ?? 'answer') === side)
      return { fault: cut, onEffect: () => applied.onEffect() };
  }
  return null;
}

function allTurns(appliedFaults: readonly AppliedFault[]): Promise<void> | null {
  const turns = appliedFaults.flatMap(({ turn }) => turn ?? []);
  return turns.length === 0 ? null : Promise.all(turns).then(() => {});
}

function minOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : Math.min(...numbers);
}
