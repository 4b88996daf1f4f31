import { describe, expect, it } from 'vitest';
import { newIdAt, systemRandom } from './random.ts';

describe('systemRandom', () => {
  it('returns the requested number of bytes, even if it exceeds the pool size', () => {
    expect([0, 1, 16, 4096, 5000].map((count) => systemRandom.bytes(count).length)).toEqual([
      0, 1, 16, 4096, 5000,
    ]);
  });

  it('returns different bytes each time, even after the pool is refilled', () => {
    const returned = Array.from({ length: 2000 }, () =>
      Buffer.from(systemRandom.bytes(16)).toString('hex'),
    );

    expect(new Set(returned).size).toBe(returned.length);
  });

  it('does not change bytes that were already returned', () => {
    const first = systemRandom.bytes(32);
    const copy = [...first];

    for (let times = 0; times < 300; times += 1) systemRandom.bytes(32);

    expect([...first]).toEqual(copy);
  });
});

describe('newIdAt', () => {
  it('returns different ids with a common prefix for the same time', () => {
    const ids = Array.from({ length: 1000 }, () =>
      newIdAt(systemRandom, 1_780_000_000_000, 'emb_'),
    );

    expect(new Set(ids).size).toBe(1000);
    expect(new Set(ids.map((id) => id.slice(0, 12))).size).toBe(1);
    expect(new Set(ids.map((id) => id.length))).toEqual(new Set([26]));
  });
});
