import type { Clock } from './ports.ts';

/** A point in time, on both clocks. */
export interface Moment {
  readonly wall: number;
  readonly mono: number;
}

export function moment(clock: Clock): Moment {
  return { wall: clock.now(), mono: clock.mono() };
}

/**
 * Returns the milliseconds since a moment, by the clock that advanced further: the monotonic one stops
 * during sleep on most systems, and the wall clock can be set back.
 */
export function since(start: Moment, clock: Clock): number {
  return Math.max(clock.now() - start.wall, clock.mono() - start.mono);
}

/** Returns the rest of `span` milliseconds since `start`; 0 without a start. */
export function left(start: Moment | null | undefined, span: number, clock: Clock): number {
  return start ? Math.max(0, span - since(start, clock)) : 0;
}
