import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });
const shown = (before: readonly string[], after: readonly string[]) =>
  diffLines(before, after).map((line) =>
    typeof line === 'number' ? line : line.change + line.text,
  );

describe('diffLines', () => {
  it('contains both texts, but for the lines that it counts', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        let [i, j] = [0, 0];
        for (const line of diffLines(before, after)) {
          if (typeof line === 'number') {
            expect(before.slice(i, i + line)).toEqual(after.slice(j, j + line));
            i += line;
            j += line;
            continue;
          }
          if (line.change !== '+') expect(line.text).toBe(before[i++]);
          if (line.change !== '-') expect(line.text).toBe(after[j++]);
        }
        expect([i, j]).toEqual([before.length, after.length]);
      }),
    );
  });

  it('shows a changed line between unchanged ones', () => {
    expect(shown(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([' a', '-b', '+x', ' c']);
  });

  it('keeps three lines around a change, and counts the others', () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index}`);

    expect(shown(before, before.with(10, 'x'))).toEqual([
      7,
      ' 7',
      ' 8',
      ' 9',
      '-10',
      '+x',
      ' 11',
      ' 12',
      ' 13',
      6,
    ]);
  });

  it('compares long texts that differ everywhere', () => {
    const before = Array.from({ length: 3000 }, (_, index) => `before ${index}`);
    const after = Array.from({ length: 3000 }, (_, index) => `after ${index}`);

    expect(diffLines(before, after)).toHaveLength(6000);
  });
});
