import type { Clock } from './ports.ts';

/** A point in time on both the wall clock and the monotonic clock. */
export interface DualTime {
  readonly wall: number;
  readonly mono: number;
}

export function dualNow(clock: Clock): DualTime {
  return { wall: clock.now(), mono: clock.mono() };
}

/**
 * Returns the milliseconds since `start`, by the clock that advanced further: the monotonic clock
 * stops during sleep on most systems, and the wall clock can be set back.
 */
export function elapsedMs(start: DualTime, clock: Clock): number {
  return Math.max(clock.now() - start.wall, clock.mono() - start.mono);
}

/** Returns the rest of `duration` milliseconds since `start`; 0 without a start. */
export function remainingMs(
  start: DualTime | null | undefined,
  duration: number,
  clock: Clock,
): number {
  return start ? Math.max(0, duration - elapsedMs(start, clock)) : 0;
}
