import { describe, expect, it } from 'vitest';
import { atMost, none, ratioAtLeast, ratioAtMost, toRow } from './row.ts';

const samples = { what: 'first paint', unit: 'ms' };

describe('toRow', () => {
  it('takes the ratio round by round, so that a slow round does not count twice', () => {
    const row = toRow({ ...samples, ours: [20, 200, 30], floor: [10, 100, 10] });

    expect(row.ratio).toBe(2);
    expect(row.spread).toEqual([2, 3]);
    expect([row.ours, row.floor]).toEqual([30, 10]);
  });

  it('has no ratio to a floor of nothing', () => {
    const row = toRow({ ...samples, ours: [3, 4], floor: [0, 1], target: ratioAtMost(2) });

    expect(row.ratio).toBeNull();
    expect(row.met).toBe(false);
  });

  it('refuses rounds that do not belong together', () => {
    expect(() => toRow({ ...samples, ours: [1, 2], floor: [1] })).toThrow('2 rounds of ours');
  });

  it.each([
    { target: atMost(5, 'ms'), met: true },
    { target: atMost(3, 'ms'), met: false },
    { target: ratioAtMost(2), met: true },
    { target: ratioAtLeast(2.5), met: false },
    { target: none, met: false },
  ])('holds 4 against a floor of 2 to $target.text', ({ target, met }) => {
    const row = toRow({ ...samples, ours: [4], floor: [2], target });

    expect(row.target).toBe(target.text);
    expect(row.met).toBe(met);
  });

  it('judges nothing without a target', () => {
    expect(toRow({ ...samples, ours: [1] }).met).toBeNull();
  });
});
