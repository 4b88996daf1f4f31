import { expect } from './testing/fixture.ts';
import { escapeHidden } from './untrusted-text.ts';

describe('escapeHidden', () => {
  it('makes bidirectional and invisible control characters visible', () => {
    expect(escapeHidden('a\u202eb\u2066c\u{e0041}')).to.equal('a[U+202E]b[U+2066]c[U+E0041]');
  });

  it('keeps ordinary text, including right-to-left text and joiners', () => {
    const text = 'שלום \u200f(1) می\u200cخواهم 👩\u200d🚒 naïve.txt';

    expect(escapeHidden(text)).to.equal(text);
  });
});
