import { describe, expect, it } from 'vitest';
import { largest, median, percentile } from './statistics.ts';

describe('median', () => {
  it('is the middle value of an unsorted list of odd length', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it('is the mean of the two middle values of a list of even length', () => {
    expect(median([1, 2, 4, 100])).toBe(3);
  });

  it('throws for an empty list', () => {
    expect(() => median([])).toThrow('nothing was measured');
  });
});

describe('percentile', () => {
  it('is the minimum at 0 and the maximum at 1', () => {
    expect([percentile([3, 1, 2], 0), percentile([3, 1, 2], 1)]).toEqual([1, 3]);
  });

  it('is interpolated between two values', () => {
    expect(percentile([0, 10], 0.99)).toBeCloseTo(9.9);
  });
});

describe('largest', () => {
  it('returns the maximum of more values than a call can have arguments', () => {
    expect(largest(Array.from({ length: 300_000 }, (_, index) => index))).toBe(299_999);
  });
});
