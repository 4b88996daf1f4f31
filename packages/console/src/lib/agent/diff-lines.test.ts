import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, shortenDiff } from './diff-lines.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });

describe('diffLines', () => {
  it('contains both texts', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before, after);
        const without = (change: string) =>
          diff.filter((line) => line.change !== change).map(({ text }) => text);
        expect(without('+')).toEqual(before);
        expect(without('-')).toEqual(after);
      }),
    );
  });

  it('shows a changed line between unchanged ones', () => {
    const diff = diffLines(['a', 'b', 'c'], ['a', 'x', 'c']);

    expect(diff.map(({ change, text }) => change + text)).toEqual([' a', '-b', '+x', ' c']);
  });

  it('compares long texts that differ everywhere', () => {
    const before = Array.from({ length: 3000 }, (_, index) => `before ${index}`);
    const after = Array.from({ length: 3000 }, (_, index) => `after ${index}`);

    expect(diffLines(before, after)).toHaveLength(6000);
  });
});

describe('shortenDiff', () => {
  it('keeps three lines around a change, and counts the others', () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index}`);
    const diff = diffLines(before, before.with(10, 'x'));

    const shown = shortenDiff(diff).map((line) => (typeof line === 'number' ? line : line.text));

    expect(shown).toEqual([7, '7', '8', '9', '10', 'x', '11', '12', '13', 6]);
  });
});
