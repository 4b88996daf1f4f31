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
 * Milliseconds since a moment, by whichever clock says more: the monotonic one stands still in
 * sleep on most systems, and the wall clock may be put back.
 */
export function since(start: Moment, clock: Clock): number {
  return Math.max(clock.now() - start.wall, clock.mono() - start.mono);
}

/** Milliseconds of `span` that are left, counted from `start`; 0 where there is no start. */
export function left(start: Moment | null | undefined, span: number, clock: Clock): number {
  return start ? Math.max(0, span - since(start, clock)) : 0;
}
