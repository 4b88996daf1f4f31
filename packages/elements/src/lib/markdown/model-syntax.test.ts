import { expect } from '../testing/fixture.ts';
import {
  createDocument,
  renderComplete,
  renderInAnyPieces,
  renderUnfinished,
} from '../testing/markdown.ts';

/** Renders a text without the headers of its code blocks. */
function render(text: string): HTMLElement {
  const content = renderInAnyPieces(text);
  for (const header of content.querySelectorAll('.code-header')) header.remove();
  return content;
}

const textOf = (text: string) => render(text).textContent;
const formulasOf = (text: string) =>
  [...render(text).querySelectorAll('.math')].map(
    (math) =>
      math.querySelector('annotation')?.textContent ??
      math.querySelector('code')?.textContent ??
      '',
  );

/** Expects that each frame shows only text that the complete text contains, in the same order. */
function expectNoFlash(text: string): void {
  const complete = renderComplete(text).textContent ?? '';
  const { content, document } = createDocument();
  for (let end = 1; end <= text.length; end += 1) {
    document.update(text.slice(0, end), true);
    let index = 0;
    const shown = content.textContent ?? '';
    for (const char of complete) if (char === shown[index]) index += char.length;
    expect(index, `${JSON.stringify(text.slice(0, end))} shows ${shown}`).to.equal(shown.length);
  }
}

describe('single tildes', () => {
  it('are text, and only two strike out', () => {
    for (const text of [
      'Opening hours 9~12 and 14~18.',
      '预计 3~5 天，价格 100~200 元。',
      '소요 시간은 2~3시간, 비용은 5~6만원입니다.',
      'About ~10 items, ~20 people; between (~1.3) and (~5.4).',
      '喵~好的~',
      '~a~ and ~~~b~~~ c',
    ]) {
      expect(textOf(text), text).to.equal(text);
      expect(render(text).querySelector('del'), text).to.equal(null);
    }
    const table = render('| size |\n|---|\n| 25~30, 31~33 |');
    expect(table.querySelector('td')?.textContent).to.equal('25~30, 31~33');
    expect(render('~~gone~~ stays').querySelector('del')?.textContent).to.equal('gone');
  });
});

describe('a code block with Markdown', () => {
  const blocksOf = (text: string) =>
    [...render(text).children].map((child) => `${child.localName}: ${child.textContent}`);

  it('contains its inner code blocks', () => {
    expect(
      blocksOf('```markdown\n# Title\n\n```bash\nnpm start\n```\n\nMore text\n```\n\nThat is all.'),
    ).to.deep.equal(['div: # Title\n\n```bash\nnpm start\n```\n\nMore text', 'p: That is all.']);
    expect(
      blocksOf('~~~MD\n1. a\n   ~~~js\n   b\n   ~~~\n2. c\n   ~~~~ts\n   ~~~\n   ~~~~\n~~~\nd'),
    ).to.deep.equal([
      'div: 1. a\n   ~~~js\n   b\n   ~~~\n2. c\n   ~~~~ts\n   ~~~\n   ~~~~',
      'p: d',
    ]);
    expect(
      render('- a\n  ```md\n  ```js\n  b\n  ```\n  ```\n- c').querySelectorAll('li').length,
    ).to.equal(2);
  });

  it('ends as in CommonMark if its fence is longer, or an inner fence has no language', () => {
    expect(blocksOf('````markdown\n```js\na\n````\nb')).to.deep.equal(['div: ```js\na', 'p: b']);
    expect(blocksOf('```markdown\n~~~js\n```\nb')).to.deep.equal(['div: ~~~js', 'p: b']);
    expect(blocksOf('```markdown\na\n```\nb')).to.deep.equal(['div: a', 'p: b']);
    expect(blocksOf('```text\n```js\na\n```\nb')).to.deep.equal(['div: ```js\na', 'p: b']);
  });
});

describe('formulas without delimiters and in tables', () => {
  it('are recognized as environments', () => {
    const align = '\\begin{align*}\na &= b + c \\\\\n&= d\n\\end{align*}';
    expect(formulasOf(`Solve:\n\n${align}\n\nThen`)).to.deep.equal([align]);
    expect(formulasOf(`Solve:\n${align}.\nThen`)).to.deep.equal([align]);
    expect(
      formulasOf('- a\n\n  \\begin{cases}\n  1 & x\n  - 2\n  \\end{cases}\n- b'),
    ).to.deep.equal(['\\begin{cases}\n1 & x\n- 2\n\\end{cases}']);
    expect(formulasOf('so \\begin{pmatrix}1\\\\2\\end{pmatrix} holds')).to.deep.equal([
      '\\begin{pmatrix}1\\\\2\\end{pmatrix}',
    ]);
    expect(formulasOf('\\begin{itemize}\n\\item a\n\\end{itemize}')).to.deep.equal([]);
    expect(formulasOf('`\\begin{align}` starts \\begin{it')).to.deep.equal([]);
    expect(renderUnfinished('a \\begin{alig').textContent).to.equal('a ');
    expect(renderUnfinished('\\begin{alig').textContent).to.equal('');
  });

  it('contain pipes in a table', () => {
    const cells = (row: string) =>
      [...render(`| a | b |\n|---|---|\n${row}`).querySelectorAll('td')].map(
        (cell) => cell.textContent,
      );
    expect(cells('| $|x|$ | abs |')).to.deep.equal(['|x|', 'abs']);
    expect(cells('| $P(A | B)$ | \\(|y|\\) |')).to.deep.equal(['P(A | B)', '|y|']);
    expect(cells('| \\(a\\) | $b$ |')).to.deep.equal(['a', 'b']);
    expect(cells('|$a$|$b$|')).to.deep.equal(['a', 'b']);
    expect(cells('| $5 | $6 |')).to.deep.equal(['$5', '$6']);
    expect(cells('|$5|$6|')).to.deep.equal(['$5', '$6']);
    expect(cells('|$HOME|$PATH|')).to.deep.equal(['$HOME', '$PATH']);
    expect(cells('| $5 a month | 6$ |')).to.deep.equal(['$5 a month', '6$']);
    const header = render('| $|x|$ | b |\n|---|---|\n| 1 | 2 |').querySelectorAll('th');
    expect([...header].map((cell) => cell.textContent)).to.deep.equal(['|x|', 'b']);
    expect(
      renderUnfinished('| a |\n|---|\n| $HOME is the').querySelector('td')?.textContent,
    ).to.equal('$HOME is the');
  });
});

describe('emphasis around a URL', () => {
  it('ends before text in brackets', () => {
    const html = (text: string) =>
      render(text).innerHTML.replace(
        / (part|dir|rel|target|referrerpolicy|aria-describedby)="[^"]*"/g,
        '',
      );
    const a = '<a href="https://a.example/">https://a.example</a>';
    expect(html('**https://a.example**(text)')).to.equal(`<p><strong>${a}</strong>(text)</p>`);
    expect(html('**https://a.example**（官网）')).to.equal(`<p><strong>${a}</strong>（官网）</p>`);
    expect(html('*https://a.example*(text)')).to.equal(`<p><em>${a}</em>(text)</p>`);
    expect(html('~~https://a.example~~(text)')).to.equal(`<p><del>${a}</del>(text)</p>`);
    expect(html('**see https://a.example**: it')).to.equal(`<p><strong>see ${a}</strong>: it</p>`);
    expect(html('https://a.example/*.js_a')).to.contain('>https://a.example/*.js_a</a>');
  });
});

describe('citation marks of models', () => {
  it('are not shown', () => {
    for (const [text, expected] of Object.entries({
      'One【4:0†source】 two【6†L9-L11】【12:3†a.pdf】.': 'One two.',
      'One \ue200cite\ue202turn0search0\ue202turn1news2\ue201two': 'One two',
      '\ue203One\ue204 \ue200filecite\ue202turn0file1\ue201two\ue206': 'One two',
      'In \ue200entity\ue202["city","Paris","France"]\ue201.': 'In Paris.',
      'At \ue200url\ue202the page\ue202https://a.example/b\ue201.': 'At the page.',
      'One[^1^] two[^12^][^3^].': 'One two.',
      'One[citation:1][citation:12] two [4:0†source].': 'One two .',
      'One<citation>1</citation> two<citation id="2">doc_4</citation>.': 'One two.',
      'One <cite index="0-1">two</cite> <citation source="a"/>three.': 'One two three.',
      'One <citation>Annual report, page 4</citation>': 'One Annual report, page 4',
      '【注意】 [citation needed] [10:30] `【4:0†source】`':
        '【注意】 [citation needed] [10:30] 【4:0†source】',
      'One \ue200cite\ue202turn0search0 two': 'One  two',
    })) {
      expect(textOf(text), text).to.equal(expected);
    }
  });

  it('are not shown while they arrive', () => {
    expectNoFlash(
      'One【4:0†source】 two \ue200cite\ue202turn0search0\ue201 three\ue203 four\ue204.',
    );
    expectNoFlash('One[^1^] two[citation:1] three[4:0†source] four<citation>12</citation> five.');
    expectNoFlash(
      '【注意】 [1] and [10:30], [call it](https://a.example) 【2024】 <cite>x</cite>.',
    );
    expect(renderUnfinished('One【4:0†sou').textContent).to.equal('One');
    expect(renderUnfinished('One[citation:').textContent).to.equal('One');
  });

  it('in brackets are links if they are defined', () => {
    const link = render('One[^1^][1].\n\n[1]: https://a.example').querySelector('a');
    expect(link?.textContent).to.contain('1');
  });
});
