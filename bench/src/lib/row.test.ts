import { describe, expect, it } from 'vitest';
import { atMost, ratioAtLeast, ratioAtMost, toRow, zero } from './row.ts';

const samples = { metric: 'first paint', unit: 'ms' };

describe('toRow', () => {
  it('returns the median of the ratios of all rounds', () => {
    const row = toRow({ ...samples, measured: [20, 200, 30], baseline: [10, 100, 10] });

    expect(row.ratio).toBe(2);
    expect(row.spread).toEqual([2, 3]);
    expect([row.measured, row.baseline]).toEqual([30, 10]);
  });

  it('returns no ratio if the baseline of a round is zero', () => {
    const row = toRow({ ...samples, measured: [3, 4], baseline: [0, 1], target: ratioAtMost(2) });

    expect(row.ratio).toBeNull();
    expect(row.met).toBe(false);
  });

  it('throws for different numbers of rounds', () => {
    expect(() => toRow({ ...samples, measured: [1, 2], baseline: [1] })).toThrow(
      '2 measured rounds',
    );
  });

  it.each([
    { target: atMost(5, 'ms'), met: true },
    { target: atMost(3, 'ms'), met: false },
    { target: ratioAtMost(2), met: true },
    { target: ratioAtLeast(2.5), met: false },
    { target: zero, met: false },
  ])(
    'returns `met: $met` for the value 4, the baseline 2 and the target $target.text',
    ({ target, met }) => {
      const row = toRow({ ...samples, measured: [4], baseline: [2], target });

      expect(row.target).toBe(target.text);
      expect(row.met).toBe(met);
    },
  );

  it('returns `met: null` without a target', () => {
    expect(toRow({ ...samples, measured: [1] }).met).toBeNull();
  });
});
