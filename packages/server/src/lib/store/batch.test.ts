import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batch } from './batch.ts';

function setup() {
  const batches: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const call = batch<number, string>(
    3,
    (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(items.map((item) => `did ${item}`));
        batches.push({ items, end });
      }),
  );
  return { batches, call, batchedItems: () => batches.map(({ items }) => [...items]) };
}

describe('batch', () => {
  it('processes the calls of one event-loop turn together, and returns an outcome to each', async () => {
    const { batches, call, batchedItems } = setup();

    const outcomes = Promise.all([call(1), call(2)]);
    await setImmediate();
    batches[0]?.end();

    expect(await outcomes).toEqual(['did 1', 'did 2']);
    expect(batchedItems()).toEqual([[1, 2]]);
  });

  it('limits the size of a batch, and processes at most two batches simultaneously', async () => {
    const { batches, call, batchedItems } = setup();

    const outcomes = Promise.all([1, 2, 3, 4, 5, 6, 7].map(call));
    await setImmediate();
    await setImmediate();
    await setImmediate();
    expect(batchedItems()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    for (const { end } of batches) end();
    await setImmediate();
    await setImmediate();
    batches[2]?.end();

    expect(await outcomes).toHaveLength(7);
    expect(batchedItems().at(2)).toEqual([7]);
  });

  it('rejects only the calls of a failed batch', async () => {
    const { batches, call } = setup();

    const failing = call(1);
    await setImmediate();
    const working = call(2);
    await setImmediate();
    batches[0]?.end(new Error('the disk is full'));
    batches[1]?.end();

    await expect(failing).rejects.toThrow('the disk is full');
    expect(await working).toBe('did 2');
  });
});
