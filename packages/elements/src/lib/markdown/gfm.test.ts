import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { renderComplete } from '../testing/markdown.ts';
import { until } from '../testing/user.ts';

/** Rendered HTML without attributes for styles and assistive technology. */
const htmlOf = (text: string) =>
  renderComplete(text)
    .innerHTML.replace(
      / (part|dir|class|type|tabindex|role|target|rel|referrerpolicy|aria-describedby)="[^"]*"/g,
      '',
    )
    .replace(/<div aria-label="[^"]*">|<\/?div>/g, '')
    .replace(/\s+/g, ' ');

const link = (href: string, text: string) => `<a href="${href}">${text}</a>`;

/** Text and HTML of the extensions of GFM (https://github.github.com/gfm/). */
const examples: Readonly<Record<string, readonly [text: string, html: string]>> = {
  'a table with aligned columns': [
    '| a | b |\n|:-:|--:|\n| **c** | `d` |',
    '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>' +
      '<tbody><tr><td><strong>c</strong></td><td><code>d</code></td></tr></tbody></table>',
  ],
  'a table whose rows have fewer or more cells than its header': [
    '| a | b |\n|---|---|\n| c |\n| d | e | f |',
    '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>' +
      '<tbody><tr><td>c</td><td></td></tr><tr><td>d</td><td>e</td></tr></tbody></table>',
  ],
  'a task list': [
    '- [x] one\n- [ ] two',
    '<ul><li><input disabled="" aria-label="Done" checked=""><p>one</p></li>' +
      '<li><input disabled="" aria-label="To do"><p>two</p></li></ul>',
  ],
  'nested lists': [
    '1. a\n   - b\n     1. c\n2. d',
    '<ol><li><p>a</p><ul><li><p>b</p><ol><li><p>c</p></li></ol></li></ul></li><li><p>d</p></li></ol>',
  ],
  'a list with a start number': ['3. a', '<ol start="3"><li><p>a</p></li></ol>'],
  strikethrough: ['~~a~~ b', '<p><del>a</del> b</p>'],
  autolinks: [
    'www.a.example/b, https://c.example. d@e.example',
    `<p>${link('http://www.a.example/b', 'www.a.example/b')}, ${link('https://c.example/', 'https://c.example')}. ${link('mailto:d@e.example', 'd@e.example')}</p>`,
  ],
  'a blockquote with a list': [
    '> a\n> - b',
    '<blockquote><p>a</p><ul><li><p>b</p></li></ul></blockquote>',
  ],
  'hard line breaks': ['a\\\nb', '<p>a<br>b</p>'],
};

describe('GFM', () => {
  for (const [name, [text, expected]] of Object.entries(examples)) {
    it(`renders ${name}`, () => {
      expect(htmlOf(text)).to.equal(expected);
    });
  }

  it('renders wide tables in a focusable scroll container', async () => {
    const box = mount(document.createElement('div'));
    box.style.inlineSize = '280px';
    const element = document.createElement('inlay-markdown');
    const cells = (text: string) => `|${text.repeat(8)}`;
    element.text = [cells(' heading |'), cells('---|'), cells(' value |')].join('\n');
    box.append(element);
    await element.updateComplete;

    const frame = element.shadowRoot?.querySelector<HTMLElement>('.table');
    expect(frame?.scrollWidth).to.be.greaterThan(400);
    expect(frame?.clientWidth).to.be.at.most(280);
    await until('the tab stop', () => frame?.tabIndex === 0);
    box.style.inlineSize = '2000px';
    await until('no tab stop', () => !frame?.hasAttribute('tabindex'));
    box.style.inlineSize = '280px';
    expect(box.scrollWidth).to.equal(280);
  });
});
