import { describe, expect, it } from 'vitest';
import { figuresOf, names } from './figures.ts';

describe('figuresOf', () => {
  it('finds every listed name', () => {
    expect(names().filter((name) => !figuresOf(name)?.length)).toEqual([]);
  });

  it('includes each figure once in `all`', () => {
    const all = figuresOf('all')?.map(({ name }) => name) ?? [];

    expect(new Set(all).size).toBe(all.length);
    expect(all).toContain('stream');
    expect(all).toContain('issuance');
  });

  it('returns null for other names, including inherited properties', () => {
    expect([figuresOf('speed'), figuresOf('constructor')]).toEqual([null, null]);
  });
});
