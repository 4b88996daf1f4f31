import { describe, expect, it } from 'vitest';
import { findBenchmarks, names } from './benchmarks.ts';

describe('findBenchmarks', () => {
  it('finds a benchmark for every listed name', () => {
    expect(names().filter((name) => !findBenchmarks(name)?.length)).toEqual([]);
  });

  it('includes each benchmark once in `all`', () => {
    const all = findBenchmarks('all')?.map(({ name }) => name) ?? [];

    expect(new Set(all).size).toBe(all.length);
    expect(all).toContain('stream');
    expect(all).toContain('issuance');
  });

  it('returns null for other names, including inherited properties', () => {
    expect([findBenchmarks('speed'), findBenchmarks('constructor')]).toEqual([null, null]);
  });
});
