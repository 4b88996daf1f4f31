import { escapeHidden } from './escape-hidden.ts';
import { expect } from './testing/fixture.ts';

describe('escapeHidden', () => {
  it('makes bidirectional and invisible control characters visible', () => {
    expect(escapeHidden('a\u202eb\u2066c\u{e0041}')).to.equal('a[U+202E]b[U+2066]c[U+E0041]');
  });

  it('keeps ordinary text, including right-to-left text, emojis and line breaks', () => {
    const text =
      'שלום (1) می خواهم 👩\u200d🚒 ❤\ufe0f 👍🏽 naïve.txt 5\u00a0000\u202f€\u3000\n\tend';

    expect(escapeHidden(text)).to.equal(text);
  });

  it('escapes every character without a glyph, whatever its block', () => {
    const characters =
      '\0\u0007\u00ad\u034f\u061c\u115f\u1680\u17b4\u180b\u180e\u2003\u200a\u200b\u200c\u200d\u200e\u200f\u2028\u2029' +
      '\u2060\u2064\u206a\u2800\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffb\ue000\u{1d159}\u{1d173}\u{e0001}\u{e0100}\u{e0fff}';
    // A lone surrogate, which some parsers refuse in source code.
    for (const character of [...characters, String.fromCharCode(0xd800)]) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      expect(escapeHidden(`a${character}b`)).to.equal(`a[U+${code}]b`);
    }
  });

  it('counts a repeated character', () => {
    expect(escapeHidden(`1${'\u200b'.repeat(4000)}0`)).to.equal('1[U+200B ×4000]0');
  });
});
