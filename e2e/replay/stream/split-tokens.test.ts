import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitTokens } from './split-tokens.ts';

describe('splitTokens', () => {
  it('gives tokens that are the text when they are joined, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(splitTokens(text).join('')).toBe(text);
      }),
    );
  });

  it('gives no empty token and cuts no code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          splitTokens(text).every((token) => token !== '' && !/\p{Surrogate}/u.test(token)),
        ).toBe(true);
      }),
    );
  });

  it('keeps common words whole with their space and cuts long ones', () => {
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

  it('cuts Markdown markers in some places and leaves them whole in others', () => {
    const tokens = splitTokens('**bold** and **again**\n```ts\n1\n```\n'.repeat(20));

    expect(tokens).toContain('**');
    expect(tokens).toContain('*');
    expect(tokens).toContain('```');
    expect(tokens).toContain('``');
  });

  it('cuts emoji sequences between their code points', () => {
    expect(splitTokens('👩🏾‍🚀')).toEqual(['👩', '🏾', '\u200d', '🚀']);
  });

  it('takes a time in proportion to the length', () => {
    expect(splitTokens(`a${' '.repeat(50_000)}b`).join('')).toHaveLength(50_002);
  });
});
