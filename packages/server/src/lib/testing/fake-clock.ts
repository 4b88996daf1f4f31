import type { Clock } from '../clock.ts';

/** A clock that only advances when a test calls `advance`. */
export interface FakeClock extends Clock {
  /** Advances the time, and fires the due timers in order, each at its own time. */
  advance(milliseconds: number): void;
}

export function createFakeClock(start = Date.UTC(2026, 0, 15, 12)): FakeClock {
  let now = start;
  const timers = new Set<{ at: number; callback: () => void }>();

  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + Math.max(0, milliseconds), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(milliseconds) {
      const end = now + milliseconds;
      for (let next = earliest(end); next; next = earliest(end)) {
        timers.delete(next);
        now = next.at;
        next.callback();
      }
      now = end;
    },
  };

  function earliest(end: number) {
    return [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
