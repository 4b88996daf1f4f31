import '../../define-all.ts';
import { english } from '../i18n/all-strings.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { renderComplete, renderUnfinished } from '../testing/markdown.ts';
import { until } from '../testing/user.ts';
import { MarkdownDocument } from './markdown-document.ts';
import { renderMath } from './math/render-math.ts';

/** The sources of the formulas in a text. */
function formulas(text: string) {
  const content = document.createElement('div');
  const options = { imageOrigins: [], strings: english, chosenImages: new Set<string>() };
  // With `lengthsOnly`, formulas are not converted to MathML.
  new MarkdownDocument(content, { ...options, lengthsOnly: true }).update(text, false);
  return [...content.querySelectorAll('.math')].map((math) => math.textContent);
}

async function setup(text: string) {
  const element = mount(document.createElement('inlay-markdown'));
  element.text = text;
  await element.updateComplete;
  const findAll = (selector: string) => [...(element.shadowRoot?.querySelectorAll(selector) ?? [])];
  return { element, findAll };
}

describe('formulas', () => {
  it('are recognized between their delimiters', () => {
    expect(formulas('a $x_1*y_2$ b $z$.')).to.deep.equal(['x_1*y_2', 'z']);
    expect(formulas('a \\(x\\) b \\[y=1\\] c $$z$$ d')).to.deep.equal(['x', 'y=1', 'z']);
    expect(formulas('**a $x$**, ($y$) and | $z$')).to.deep.equal(['x', 'y', 'z']);
    expect(formulas('| a |\n|---|\n| $x$ |')).to.deep.equal(['x']);
  });

  it('can be blocks that contain any text', () => {
    expect(formulas('Let\n$$\nx\n- y\n# z\n$$\nbe')).to.deep.equal(['x\n- y\n# z']);
    expect(formulas('- a\n  \\[\n  x\n  \\]\n- b')).to.deep.equal(['x']);
    expect(formulas('$$ x = y $$')).to.deep.equal(['x = y']);
    expect(renderComplete('Let\n$$\nx\n$$\nbe').querySelectorAll('p').length).to.equal(2);
  });

  it('are not recognized in prices, variables, escapes and code', () => {
    for (const text of [
      'It costs $5 and $10.',
      'From $5-$10 to 20$ a piece',
      'I have $20 and you have 30$.',
      'US$5 and US$6',
      '$HOME and $PATH, $HOME/$USER',
      '\\$x\\$',
      '`$x$` and `\\(y\\)`',
      '```\n$$\nx\n$$\n```',
      'a $ b $ c',
      '\\[not a link\\](https://a.example)',
    ]) {
      expect(formulas(text), text).to.deep.equal([]);
    }
  });

  it('are not shown until they are complete', () => {
    for (const start of ['\\(x^2', '$x^2 +', '$$E = m', '$2', '$3x + 1', '\\[x = 1', '$x$']) {
      expect(renderUnfinished(`a ${start}`).textContent, start).to.equal('a ');
    }
    const code = renderUnfinished('$$\nx\ny').querySelector<HTMLElement>('.math code');
    expect(code?.hidden).to.equal(true);
    expect(renderComplete('$$\nx\ny').querySelector<HTMLElement>('.math code')?.hidden).to.equal(
      false,
    );
  });

  it('do not delay the display of text with prices and variables', () => {
    for (const text of ['it costs $5 or', 'from $5, so', 'for $5–$9 per', '$HOME and the path']) {
      expect(renderUnfinished(text).textContent, text).to.equal(text);
    }
  });

  it('are rendered as MathML', async () => {
    const { element, findAll } = await setup('a $\\frac{1}{x}$\n\n$$\n\\sqrt{2}\n$$');
    await until('two formulas', () => findAll('math').length === 2);

    expect(findAll('math mfrac').length).to.equal(1);
    expect(findAll('.display math msqrt').length).to.equal(1);
    expect(findAll('math')[0]?.namespaceURI).to.equal('http://www.w3.org/1998/Math/MathML');
    await expectAccessible(element);
  });

  it('are shown as their source if they are invalid', async () => {
    const { findAll } = await setup('$\\frac{1$ and $x$');
    await until('a formula', () => findAll('math').length === 1);

    expect(findAll('.math')[0]?.textContent).to.equal('$\\frac{1$');
  });

  it('load no resources, run no scripts, and are rendered in bounded time', () => {
    const before = performance.getEntriesByType('resource').length;
    for (const source of [
      '\\href{javascript:alert(1)}{x}',
      '\\url{https://evil.example}',
      '\\includegraphics{https://evil.example/a.png}',
      '\\style{background:url(https://evil.example)}{x}',
      '\\class{copy}{x}\\id{a}{x}\\data{a=b}{x}',
      '\\def\\a#1{\\a{#1#1}}\\a{x}',
      '\\newcommand{\\b}{\\b\\b}\\b',
      '\\gdef\\c{d}\\c',
      '{'.repeat(2000) + '}'.repeat(2000),
      `${'\\sqrt{'.repeat(400)}x${'}'.repeat(400)}`,
      'x'.repeat(6000),
      '\\hspace{-900em}x',
      '\\color{red;background:url(https://evil.example)}{x}',
    ]) {
      const started = performance.now();
      let math: Element | undefined;
      try {
        math = renderMath(source, true);
      } catch {}
      expect(performance.now() - started, source).to.be.below(15_000);
      const unsafe = math?.querySelector('a, img, script, [href], [src], [id], .copy') ?? null;
      expect(unsafe, source).to.equal(null);
      expect(math?.outerHTML ?? '', source).not.to.contain('evil');
    }
    expect(performance.getEntriesByType('resource').slice(before)).to.deep.equal([]);
  });

  it('are rejected if they would paint far outside their box', () => {
    for (const source of [
      '\\rule{1em}{1em}\\kern-999em x',
      '\\raisebox{-99em}{x}',
      '\\hspace{-50em}x',
    ]) {
      expect(() => renderMath(source, false), source).to.throw();
    }
  });
});
