import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLineBuffer } from './line-buffer.ts';

function setup() {
  const written: string[] = [];
  return { written, ...createLineBuffer((text) => void written.push(text)) };
}

describe('the line buffer', () => {
  it('writes the lines of one turn together, in their order', async () => {
    const { written, add } = setup();

    add('one\n');
    add('two\n');
    expect(written).toEqual([]);
    await setImmediate();
    add('three\n');
    await setImmediate();

    expect(written).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('writes what waits when the process ends, and not once more after it', async () => {
    const { written, add, flush } = setup();

    add('last\n');
    flush();
    await setImmediate();

    expect(written).toEqual(['last\n']);
  });

  it('holds no more than a bounded number of characters', () => {
    const { written, add } = setup();

    add(`${'x'.repeat(70_000)}\n`);

    expect(written).toHaveLength(1);
  });
});
