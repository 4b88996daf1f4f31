import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputHash } from './input-hash.ts';

const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>);

describe('inputHash', () => {
  it('is the hexadecimal SHA-256 hash of the call as JSON with sorted keys', () => {
    const text = '{"input":{"a":[1,{"x":null,"y":"ü"}],"b":true},"name":"pay"}';

    expect(inputHash({ name: 'pay', input: { b: true, a: [1, { y: 'ü', x: null }] } })).toBe(
      createHash('sha256').update(text).digest('hex'),
    );
  });

  it('is the same for any order of keys, and after the call was stored as JSON', () => {
    fc.assert(
      fc.property(json, (input) => {
        const reversed = Object.fromEntries(Object.entries(input).reverse());

        expect(inputHash({ name: 'x', input: reversed })).toBe(inputHash({ name: 'x', input }));
        const stored = JSON.parse(JSON.stringify(input));
        expect(inputHash({ name: 'x', input: stored })).toBe(inputHash({ name: 'x', input }));
      }),
    );
  });

  it('depends on the name, the values, their types and the keys', () => {
    const calls = [
      { name: 'x', input: { a: 1 } },
      { name: 'y', input: { a: 1 } },
      { name: 'x', input: { a: 2 } },
      { name: 'x', input: { a: '1' } },
      { name: 'x', input: { b: 1 } },
      { name: 'x', input: { a: [1] } },
    ];

    expect(new Set(calls.map(inputHash)).size).toBe(calls.length);
  });
});
