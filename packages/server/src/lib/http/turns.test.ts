import { afterEach, expect, it, vi } from 'vitest';
import { Turns } from './turns.ts';

afterEach(() => vi.useRealTimers());

it('lets two waiting requests continue per millisecond, in their order', async () => {
  vi.useFakeTimers();
  const turns = new Turns();
  const continued: number[] = [];
  for (let number = 0; number < 7; number += 1) {
    void turns.wait().then(() => continued.push(number));
  }
  const counts: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await vi.advanceTimersByTimeAsync(turn === 0 ? 0 : 1);
    counts.push(continued.length);
  }

  expect(counts).toEqual([2, 4, 6, 7, 7]);
  expect(continued).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
