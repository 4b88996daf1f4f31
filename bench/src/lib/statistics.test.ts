import { describe, expect, it } from 'vitest';
import { largest, median, percentile } from './statistics.ts';

describe('median', () => {
  it('is the one in the middle, in whatever order they come', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it('is between the two in the middle', () => {
    expect(median([1, 2, 4, 100])).toBe(3);
  });

  it('refuses to make a number out of none', () => {
    expect(() => median([])).toThrow('nothing was measured');
  });
});

describe('percentile', () => {
  it('is the smallest at 0 and the largest at 1', () => {
    expect([percentile([3, 1, 2], 0), percentile([3, 1, 2], 1)]).toEqual([1, 3]);
  });

  it('lies between two values', () => {
    expect(percentile([0, 10], 0.99)).toBeCloseTo(9.9);
  });
});

describe('largest', () => {
  it('finds it among more values than a call has arguments', () => {
    expect(largest(Array.from({ length: 300_000 }, (_, index) => index))).toBe(299_999);
  });
});
