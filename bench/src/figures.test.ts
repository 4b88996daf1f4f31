import { describe, expect, it } from 'vitest';
import { figuresOf, names } from './figures.ts';

describe('figuresOf', () => {
  it('finds every name that it offers', () => {
    expect(names().filter((name) => !figuresOf(name)?.length)).toEqual([]);
  });

  it('takes each figure once in all', () => {
    const all = figuresOf('all')?.map(({ name }) => name) ?? [];

    expect(new Set(all).size).toBe(all.length);
    expect(all).toContain('stream');
    expect(all).toContain('issuance');
  });

  it('knows no other name, also none that every object has', () => {
    expect([figuresOf('speed'), figuresOf('constructor')]).toEqual([null, null]);
  });
});
