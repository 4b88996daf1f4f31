import { expect } from './testing/fixture.ts';
import { visible } from './untrusted-text.ts';

describe('visible', () => {
  it('shows what would turn or hide a part of a text', () => {
    expect(visible('a\u202eb\u2066c\u{e0041}')).to.equal('a[U+202E]b[U+2066]c[U+E0041]');
  });

  it('leaves what people write, also from the right and with signs that join', () => {
    const text = 'שלום \u200f(1) می\u200cخواهم 👩\u200d🚒 naïve.txt';

    expect(visible(text)).to.equal(text);
  });
});
