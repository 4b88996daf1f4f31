import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { crowd, Delivery } from './delivery.ts';
import type { Reader } from './reader.ts';

function setup(count: number) {
  const readers = Array.from({ length: count }, () => ({}) as Reader);
  const written = new Map<Reader, string[]>(readers.map((reader) => [reader, []]));
  const delivery = new Delivery();
  return {
    written: () => [...written.values()],
    deliver: (text: string) =>
      delivery.deliver(readers, (reader) => void written.get(reader)?.push(text)),
  };
}

describe('Delivery', () => {
  it('writes to a few at once', () => {
    const { deliver, written } = setup(crowd);

    deliver('one');
    deliver('two');

    expect(written()).toEqual(Array(crowd).fill(['one', 'two']));
  });

  it('lets others have a turn while it writes to a crowd, and keeps the order for each', async () => {
    const { deliver, written } = setup(crowd * 2 + 1);

    deliver('one');
    const before = written().filter(({ length }) => length > 0);
    deliver('two');
    await expect.poll(() => written().at(-1)).toEqual(['one', 'two']);
    deliver('three');
    await expect.poll(() => written().at(-1)).toEqual(['one', 'two', 'three']);
    await setImmediate();

    expect(before).toHaveLength(crowd);
    expect(written()).toEqual(Array(crowd * 2 + 1).fill(['one', 'two', 'three']));
  });
});
