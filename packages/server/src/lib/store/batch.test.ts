import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batch } from './batch.ts';

function setup() {
  const groups: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const call = batch<number, string>(
    3,
    (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(items.map((item) => `did ${item}`));
        groups.push({ items, end });
      }),
  );
  return { groups, call, itemsOf: () => groups.map(({ items }) => [...items]) };
}

describe('batch', () => {
  it('processes the calls of one event-loop turn together, and returns the result of each', async () => {
    const { groups, call, itemsOf } = setup();

    const answers = Promise.all([call(1), call(2)]);
    await setImmediate();
    groups[0]?.end();

    expect(await answers).toEqual(['did 1', 'did 2']);
    expect(itemsOf()).toEqual([[1, 2]]);
  });

  it('limits the size of a group, and runs at most two groups at a time', async () => {
    const { groups, call, itemsOf } = setup();

    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map(call));
    await setImmediate();
    await setImmediate();
    await setImmediate();
    expect(itemsOf()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    for (const group of groups) group.end();
    await setImmediate();
    await setImmediate();
    groups[2]?.end();

    expect(await answers).toHaveLength(7);
    expect(itemsOf().at(2)).toEqual([7]);
  });

  it('rejects only the calls of a failed group', async () => {
    const { groups, call } = setup();

    const failing = call(1);
    await setImmediate();
    const working = call(2);
    await setImmediate();
    groups[0]?.end(new Error('the disk is full'));
    groups[1]?.end();

    await expect(failing).rejects.toThrow('the disk is full');
    expect(await working).toBe('did 2');
  });
});
