import type { AnswerFault, BufferFault, CutFault, Side } from './fault.ts';
import type { Strike } from './rules.ts';

/** Combined effect of the faults of a request on one direction. */
export interface Plan {
  readonly cut: { fault: CutFault; struck(): void } | null;
  /** Delay of each chunk in milliseconds. */
  readonly delay: number;
  /** Maximum bytes per write; null for unchanged chunks. */
  readonly split: number | null;
  readonly bytesPerSecond: number | null;
  readonly buffer: BufferFault | null;
  /** Resolves when the response may be sent. */
  readonly turn: Promise<void> | null;
  /** Whether all bytes are dropped. */
  readonly isDropped: boolean;
}

export function planOf(strikes: readonly Strike[], side: Side): Plan {
  const faults = strikes.map(({ fault }) => fault);
  const mine = <Item extends { side?: Side }>(fault: Item) => (fault.side ?? 'answer') === side;
  const delays = faults.filter((fault) => fault.type === 'delay').filter(mine);
  const splits = faults.filter((fault) => fault.type === 'split').filter(mine);
  const throttles = faults.filter((fault) => fault.type === 'throttle').filter(mine);
  const isAnswer = side === 'answer';
  const replacement = replacementOf(strikes);
  return {
    cut: cutOf(strikes, side),
    delay: delays.reduce((sum, { ms }) => sum + ms, 0),
    split: least(splits.map(({ bytes = 1 }) => bytes)),
    bytesPerSecond: least(throttles.map(({ bytesPerSecond }) => bytesPerSecond)),
    buffer: (isAnswer && faults.find((fault) => fault.type === 'buffer')) || null,
    turn: isAnswer ? allTurns(strikes) : null,
    isDropped: replacement !== null && (isAnswer || !replacement.reachesServer),
  };
}

/** Finds the response that replaces the server's; null if there is none. */
export function replacementOf(strikes: readonly Strike[]): AnswerFault | null {
  return strikes.map(({ fault }) => fault).find((fault) => fault.type === 'answer') ?? null;
}

function cutOf(strikes: readonly Strike[], side: Side): Plan['cut'] {
  for (const strike of strikes) {
    const { fault } = strike;
    const cut: CutFault | null =
      fault.type === 'cut'
        ? fault
        : fault.type === 'lose-answer'
          ? { type: 'cut', how: fault.how ?? 'half-open' }
          : null;
    if (cut && (cut.side ?? 'answer') === side)
      return { fault: cut, struck: () => strike.struck() };
  }
  return null;
}

function allTurns(strikes: readonly Strike[]): Promise<void> | null {
  const turns = strikes.flatMap(({ turn }) => turn ?? []);
  return turns.length === 0 ? null : Promise.all(turns).then(() => {});
}

function least(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : Math.min(...numbers);
}
