import { expect } from '../testing/fixture.ts';
import {
  createDocument,
  renderComplete,
  renderInAnyPieces,
  renderUnfinished,
} from '../testing/markdown.ts';
import { loadEntities } from './syntax/entities.ts';

/**
 * Renders a text, expects the same result if the text streams, and returns the HTML with formulas as `<math>`, without
 * attributes for styles and links.
 */
function htmlOf(text: string): string {
  const content = renderInAnyPieces(text);
  for (const math of content.querySelectorAll('.math')) {
    const element = document.createElement('math');
    element.textContent = math.querySelector('code')?.textContent ?? '';
    if (math.matches('.display')) element.setAttribute('display', '');
    math.replaceWith(element);
  }
  return content.innerHTML
    .replace(/ (part|dir|class|type|rel|target|referrerpolicy|aria-describedby)="[^"]*"/g, '')
    .replace(/^<p>(.*)<\/p>$/s, '$1');
}

const link = (href: string, text: string) => `<a href="${href}">${text}</a>`;

type Examples = Readonly<Record<string, string>>;

function expectHtml(examples: Examples): void {
  for (const [text, expected] of Object.entries(examples)) {
    expect(htmlOf(text), text).to.equal(expected);
  }
}

describe('the Markdown renderer', () => {
  it('renders links whose text is a URL', () => {
    expectHtml({
      '[https://a.example/b](https://a.example/b)': link(
        'https://a.example/b',
        'https://a.example/b',
      ),
      '[https://example.com](https://example.com)!': `${link('https://example.com/', 'https://example.com')}!`,
      '[www.a.example](https://a.example)': link('https://a.example/', 'www.a.example'),
      '[a@b.example](mailto:a@b.example)': link('mailto:a@b.example', 'a@b.example'),
      '**[see https://a.example/b](https://c.example)**': `<strong>${link('https://c.example/', 'see https://a.example/b <span>(c.example)</span>')}</strong>`,
      '[https://a.example]': `[${link('https://a.example/', 'https://a.example')}]`,
    });
  });

  it('renders emphasis in languages without spaces between words', () => {
    expectHtml({
      '**注意：**这个': '<strong>注意：</strong>这个',
      '请看**「重要」**な点': '请看<strong>「重要」</strong>な点',
      '先**打开（设置）**，再**保存。**然后':
        '先<strong>打开（设置）</strong>，再<strong>保存。</strong>然后',
      '**この文を強調できますか（Can I emphasize this sentence）？**残念':
        '<strong>この文を強調できますか（Can I emphasize this sentence）？</strong>残念',
      '我可以强调**这个`code`**吗': '我可以强调<strong>这个<code>code</code></strong>吗',
      '**이 용어(This term)**를 강조': '<strong>이 용어(This term)</strong>를 강조',
      '~~删除：~~这个': '<del>删除：</del>这个',
      'a**"b"**c': 'a**"b"**c',
    });
  });

  it('renders formulas beside letters, but no formulas in prices and variables', () => {
    const formula = (text: string) => `<math>${text}</math>`;
    const display = (text: string) => `<math display="">${text}</math>`;
    expectHtml({
      设$x$为: `设${formula('x')}为`,
      '得到$$x=1$$。': `得到${display('x=1')}。`,
      'the $n$th, $k$s and $(n+1)$st': `the ${formula('n')}th, ${formula('k')}s and ${formula('(n+1)')}st`,
      'the $n$-th': `the ${formula('n')}-th`,
      '函数$f(x)=\\text{速度}$的': `函数${formula('f(x)=\\text{速度}')}的`,
    });
    for (const text of [
      '$5 and $10',
      'US$5, A$6',
      '$5-$10, $5–$10, $5/$10',
      '从$5到$10',
      '从$5到10$之间',
      '花了$5，剩余3$。',
      '$5美元和$6美元',
      '$HOME and $PATH are variables. Cost: 5$',
      '$HOME/$USER and $name$s',
      '在$HOME和$PATH里',
    ]) {
      expect(renderComplete(text).querySelector('.math'), text).to.equal(null);
      expect(htmlOf(text), text).to.equal(text);
    }
  });

  it('renders formulas in escaped brackets only if their content is clearly a formula', () => {
    expectHtml({
      'See \\[1\\] and \\[2, 3\\].': 'See [1] and [2, 3].',
      '[\\[4\\]](https://a.example)': link('https://a.example/', '[4]'),
      'run \\[--flag=value\\] now': 'run [--flag=value] now',
      'a \\[not a formula\\] b': 'a [not a formula] b',
      'so \\[x = 1\\] holds': 'so <math display="">x = 1</math> holds',
      'so \\[\\frac12\\] holds': 'so <math display="">\\frac12</math> holds',
      '\\[1\\]': '[1]',
    });
    expect(renderComplete('\\[ x \\]').querySelectorAll('.math.display').length).to.equal(1);
    expect(renderComplete('\\[\nx\n\\]').querySelectorAll('.math.display').length).to.equal(1);
    expect(renderUnfinished('See \\[1').textContent).to.equal('See [1');
  });

  it('renders autolinks beside CJK text and punctuation', () => {
    const a = link('https://a.example/', 'https://a.example');
    expectHtml({
      '网站：https://a.example': `网站：${a}`,
      '（https://a.example）': `（${a}）`,
      'Visit:https://a.example': `Visit:${a}`,
      'https://a.example/x，谢谢': `${link('https://a.example/x', 'https://a.example/x')}，谢谢`,
      '“https://a.example”': `“${a}”`,
      'https://a.example/{id}': link('https://a.example/%7Bid%7D', 'https://a.example/{id}'),
      '{https://a.example}': `{${a}}`,
      'https://a.example/b_(c)': link('https://a.example/b_(c)', 'https://a.example/b_(c)'),
      '(https://a.example).': `(${a}).`,
      'a_b@c.example': link('mailto:a_b@c.example', 'a_b@c.example'),
      'a.b-c_d@a.b': link('mailto:a.b-c_d@a.b', 'a.b-c_d@a.b'),
      'a.b-c_d@a.b_ a.b-c_d@a.b-': 'a.b-c_d@a.b_ a.b-c_d@a.b-',
      '_a@b.example_': `<em>${link('mailto:a@b.example', 'a@b.example')}</em>`,
      'react@18.2.0 and x@1.2': 'react@18.2.0 and x@1.2',
      '**https://a.example**': `<strong>${a}</strong>`,
      xhttps: 'xhttps',
      'xhttps://a.example': 'xhttps://a.example',
    });
  });

  it('renders a small set of HTML elements, without their attributes', () => {
    expectHtml({
      'H<sub>2</sub>O and x<sup>2</sup>': 'H<sub>2</sub>O and x<sup>2</sup>',
      '<kbd>Ctrl</kbd>+<KBD>C</KBD>': '<kbd>Ctrl</kbd>+<kbd>C</kbd>',
      '<b>a</b> <i>b</i> <u>c</u> <s>d</s> <mark>e</mark>':
        '<strong>a</strong> <em>b</em> <u>c</u> <del>d</del> <mark>e</mark>',
      '<b onclick="alert(1)" class=x>a</b>': '<strong>a</strong>',
      '<b>a *b* [c](https://a.example)</b>': `<strong>a <em>b</em> ${link('https://a.example/', 'c')}</strong>`,
      '*a <b>b* c</b>': '*a <strong>b* c</strong>',
      '<b>never closed': '<strong>never closed</strong>',
      '<b><i>a</b> b': '<strong><em>a</em></strong> b',
      'a</b>': 'a',
      'a<br>b<br/>c': 'a<br>b<br>c',
      'a <!-- hidden --> b': 'a  b',
      '`<b>`': '<code>&lt;b&gt;</code>',
      '<span>a</span>': '&lt;span&gt;a&lt;/span&gt;',
      '<b/onclick=x>a': '&lt;b/onclick=x&gt;a',
      'a <b c': 'a &lt;b c',
      '<a href="\\"">': '&lt;a href="""&gt;',
    });
    expect(htmlOf('| a |\n|---|\n| H<sub>2</sub>O<!-- x --> |')).to.contain(
      '<td>H<sub>2</sub>O</td>',
    );
  });

  it('shows no incomplete tags while the text streams', () => {
    const html = (text: string) => renderUnfinished(text).querySelector('p')?.innerHTML;
    expect(html('a <')).to.equal('a ');
    expect(html('a <su')).to.equal('a ');
    expect(html('a <sub clas')).to.equal('a ');
    expect(html('a <sub>b')).to.equal('a <sub>b</sub>');
    expect(html('a <sub>b</su')).to.equal('a <sub>b</sub>');
    expect(html('a <!-- hid')).to.equal('a ');
    expect(html('a <spa')).to.equal('a ');
    expect(html('a <span>')).to.equal('a &lt;span&gt;');
    expect(html('a < b')).to.equal('a &lt; b');
  });

  it('keeps backslashes in autolinks', () => {
    expect(htmlOf('<https://example.com/\\[\\>')).to.equal(
      link('https://example.com/%5C[%5C', 'https://example.com/\\[\\'),
    );
  });

  it('renders `<details>` with a summary and Markdown as content', () => {
    expect(
      htmlOf('<details>\n<summary>More **about** it</summary>\n\n- a\n- b\n\n</details>\n\nafter'),
    ).to.equal(
      '<details><summary>More <strong>about</strong> it</summary><ul><li><div><p>a</p></div></li>' +
        '<li><div><p>b</p></div></li></ul></details><p>after</p>',
    );
    expect(htmlOf('<details open onclick="x"><summary>a</summary>b</details>\nc')).to.equal(
      '<details><summary>a</summary><p>b</p></details><p>c</p>',
    );
    expect(
      htmlOf(
        '<details><summary>a</summary>\n<details><summary>b</summary>\nc\n</details>\nd\n</details>\ne',
      ),
    ).to.equal(
      '<details><summary>a</summary><details><summary>b</summary><p>c</p></details><p>d</p></details><p>e</p>',
    );
    expect(htmlOf('<details>\n<summary>\na\n</summary>\nb')).to.equal(
      '<details><summary>a</summary><p>b</p></details>',
    );
    expect(htmlOf('```\n<details>\n```')).to.contain('&lt;details&gt;');
    expect(renderUnfinished('<details><summ').textContent).to.equal('');
    expect(renderUnfinished('a\n\n</deta').textContent).to.equal('a');
  });

  it('omits HTML comments of one or several lines', () => {
    expect(htmlOf('a\n\n<!-- b\n\n**c**\n-->\n\nd')).to.equal('a</p><p>d');
    expect(htmlOf('a\n<!-- b -->\nc')).to.equal('a</p><p>c');
    expect(htmlOf('a <!-- b\nc --> d')).to.equal('a  d');
    expect(renderUnfinished('a\n\n<!-- b\n\nc').textContent).to.equal('a');
  });

  it('renders alerts with a title', () => {
    const content = renderComplete(
      '> [!NOTE]\n> Read **this**.\n\n> [!warning]\n> a\n\n> [!NOTE] b',
    );
    const [note, warning, quote] = content.querySelectorAll('blockquote');

    expect(note?.className).to.equal('alert note');
    expect([...(note?.children ?? [])].map((child) => child.textContent)).to.deep.equal([
      'Note',
      'Read this.',
    ]);
    expect(warning?.textContent).to.equal('Warninga');
    expect(quote?.textContent).to.equal('[!NOTE] b');
    expect(renderUnfinished('> [!NO').textContent).to.equal('');
    expect(htmlOf('> [!TIP]\n> a\n> - b')).to.contain('<p>Tip</p><p>a</p><ul>');
  });

  it('shows incomplete table cells while the text streams', () => {
    const cells = (text: string) =>
      [...renderUnfinished(`| a | b |\n|---|---|\n${text}`).querySelectorAll('td')].map((cell) =>
        cell.innerHTML.replace(/ part="[^"]*"/g, ''),
      );
    expect(cells('| **or')).to.deep.equal(['<strong>or</strong>', '']);
    expect(cells('| **or*')).to.deep.equal(['<strong>or</strong>', '']);
    expect(cells('| **or** | `co')).to.deep.equal(['<strong>or</strong>', '<code>co</code>']);
    expect(cells('| see [the gui')).to.deep.equal(['see the gui', '']);
    expect(cells('| a\\')).to.deep.equal(['a', '']);
  });

  it('keeps the DOM of complete cells while the text streams', () => {
    const { content, document } = createDocument();
    const start = '| a | b |\n|---|---|\n| **one** | tw';
    document.update(start, true);
    const cell = content.querySelector('td strong');
    document.update(`${start}o and more |`, true);

    expect(cell?.isConnected || content.contains(cell)).to.equal(true);
    expect(content.querySelectorAll('td')[1]?.textContent).to.equal('two and more');
  });

  it('renders the named character references of HTML', async () => {
    const { content, document } = createDocument();
    document.update('&alpha; &frac12; &sup2; &notaname; [a](https://a.example/&alpha;)', false);
    await loadEntities();
    await Promise.resolve();

    expect(content.textContent).to.equal('α ½ ² &notaname; a');
    expect(htmlOf('&prime;&ensp;`&alpha;`')).to.equal('′\u2002<code>&amp;alpha;</code>');
  });
});
