import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('lets two waiting requests continue per turn of the event loop, in their order', async () => {
  const turns = new Turns();
  const continued: number[] = [];
  for (let number = 0; number < 7; number += 1) {
    void turns.wait().then(() => continued.push(number));
  }
  const counts: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await Promise.resolve();
    counts.push(continued.length);
    await nextTurn();
  }

  expect(counts).toEqual([2, 4, 6, 7, 7]);
  expect(continued).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
