import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the condition is true. Returns false if the time limit is reached first. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
  pause = 100,
): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await sleep(pause);
  }
  return true;
}

/** A number from `from` up to `to`. */
export function between(from: number, to: number): number {
  return from + Math.random() * (to - from);
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
}
