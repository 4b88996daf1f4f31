import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitTokens } from './split-tokens.ts';

describe('splitTokens', () => {
  it('returns tokens that join to the text, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(splitTokens(text).join('')).toBe(text);
      }),
    );
  });

  it('returns no empty tokens and splits no code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          splitTokens(text).every((token) => token !== '' && !/\p{Surrogate}/u.test(token)),
        ).toBe(true);
      }),
    );
  });

  it('keeps short words with their space, and splits long ones', () => {
    expect(splitTokens('Is it an internationalization?')).toEqual([
      'Is',
      ' it',
      ' an',
      ' inte',
      'rnati',
      'onalizat',
      'ion',
      '?',
    ]);
  });

  it('splits Markdown markers at some positions, and keeps them at others', () => {
    const tokens = splitTokens('**bold** and **again**\n```ts\n1\n```\n'.repeat(20));

    expect(tokens).toContain('**');
    expect(tokens).toContain('*');
    expect(tokens).toContain('```');
    expect(tokens).toContain('``');
  });

  it('splits emoji sequences between their code points', () => {
    expect(splitTokens('👩🏾‍🚀')).toEqual(['👩', '🏾', '\u200d', '🚀']);
  });

  it('takes linear time', () => {
    expect(splitTokens(`a${' '.repeat(50_000)}b`).join('')).toHaveLength(50_002);
  });
});
