import { describe, expect, it } from 'vitest';
import { atMost, none, ratioAtLeast, ratioAtMost, toRow } from './row.ts';

const samples = { what: 'first paint', unit: 'ms' };

describe('toRow', () => {
  it('has the median of the ratios of the rounds', () => {
    const row = toRow({ ...samples, ours: [20, 200, 30], floor: [10, 100, 10] });

    expect(row.ratio).toBe(2);
    expect(row.spread).toEqual([2, 3]);
    expect([row.ours, row.floor]).toEqual([30, 10]);
  });

  it('has no ratio if the baseline is zero', () => {
    const row = toRow({ ...samples, ours: [3, 4], floor: [0, 1], target: ratioAtMost(2) });

    expect(row.ratio).toBeNull();
    expect(row.met).toBe(false);
  });

  it('refuses different numbers of rounds', () => {
    expect(() => toRow({ ...samples, ours: [1, 2], floor: [1] })).toThrow('2 rounds of ours');
  });

  it.each([
    { target: atMost(5, 'ms'), met: true },
    { target: atMost(3, 'ms'), met: false },
    { target: ratioAtMost(2), met: true },
    { target: ratioAtLeast(2.5), met: false },
    { target: none, met: false },
  ])('compares 4, with a baseline of 2, with the target $target.text', ({ target, met }) => {
    const row = toRow({ ...samples, ours: [4], floor: [2], target });

    expect(row.target).toBe(target.text);
    expect(row.met).toBe(met);
  });

  it('has no verdict without a target', () => {
    expect(toRow({ ...samples, ours: [1] }).met).toBeNull();
  });
});
