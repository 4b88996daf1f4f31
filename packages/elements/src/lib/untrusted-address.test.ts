import { expect } from './testing/fixture.ts';
import { renderComplete, renderInPieces } from './testing/markdown.ts';

const unsafeLinks = [
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](\\javascript:alert(1))',
  '[x](<\u0001javascript:alert(1)>)',
  '[x](vbscript:msgbox)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](blob:https://a.example/1)',
  '[x](//evil.example/a)',
  '[x](\\\\\\\\evil.example\\a)',
  '[x](/relative)',
  '[x](file:///etc/passwd)',
  '<javascript:alert(1)>',
  '[x][r]\n\n[r]: javascript:alert(1)',
];

describe('the Markdown renderer', () => {
  for (const text of unsafeLinks) {
    it(`D02: creates no link for ${JSON.stringify(text)}`, () => {
      expect(renderComplete(text).querySelector('[href], [src]')).to.equal(null);
      expect(renderInPieces(text, [3]).querySelector('[href], [src]')).to.equal(null);
    });
  }

  it('creates links for https, http, mailto and tel, in a new tab and without a referrer', () => {
    const content = renderComplete(
      '<https://a.example> [b](HTTP://b.example/x) [c](mailto:c@c.example) [d](tel:+1234) www.e.example f@f.example',
    );
    const links = [...content.querySelectorAll('a')];

    expect(links.map((link) => link.getAttribute('href'))).to.deep.equal([
      'https://a.example/',
      'http://b.example/x',
      'mailto:c@c.example',
      'tel:+1234',
      'http://www.e.example/',
      'mailto:f@f.example',
    ]);
    for (const link of links) {
      expect(link.rel).to.equal('noopener noreferrer nofollow');
      expect(link.target).to.equal('_blank');
      expect(link.referrerPolicy).to.equal('no-referrer');
    }
  });

  it('creates images only for origins that the page allows', () => {
    const content = renderComplete(
      '![a](https://images.example/a.png) ![b](https://images.example.evil.example/b) ![c](http://images.example/c) ![d](https://u:p@images.example/d)',
    );

    expect([...content.querySelectorAll('img')].map((image) => image.src)).to.deep.equal([
      'https://images.example/a.png',
    ]);
    expect(content.querySelector('[part=blocked-image]')?.textContent).to.equal(
      'bLoad image from images.example.evil.example',
    );
  });
});
