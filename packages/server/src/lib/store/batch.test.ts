import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batch } from './batch.ts';

function setup() {
  const groups: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const ask = batch<number, string>(
    3,
    (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(items.map((item) => `did ${item}`));
        groups.push({ items, end });
      }),
  );
  return { groups, ask, itemsOf: () => groups.map(({ items }) => [...items]) };
}

describe('batch', () => {
  it('does together what is asked in one turn, and answers each with its own outcome', async () => {
    const { groups, ask, itemsOf } = setup();

    const answers = Promise.all([ask(1), ask(2)]);
    await setImmediate();
    groups[0]?.end();

    expect(await answers).toEqual(['did 1', 'did 2']);
    expect(itemsOf()).toEqual([[1, 2]]);
  });

  it('takes no more into a group than it may, and no third group while two are under way', async () => {
    const { groups, ask, itemsOf } = setup();

    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map(ask));
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

  it('tells a failure to its group alone, and goes on', async () => {
    const { groups, ask } = setup();

    const failing = ask(1);
    await setImmediate();
    const working = ask(2);
    await setImmediate();
    groups[0]?.end(new Error('the disk is full'));
    groups[1]?.end();

    await expect(failing).rejects.toThrow('the disk is full');
    expect(await working).toBe('did 2');
  });
});
