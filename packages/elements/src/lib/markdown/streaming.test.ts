import { expect } from '../testing/fixture.ts';
import { createDocument, renderUnfinished } from '../testing/markdown.ts';

const htmlOf = (text: string) =>
  renderUnfinished(text).innerHTML.replace(/ (part|dir)="[^"]*"/g, '');

describe('the rendering of streaming Markdown', () => {
  it('shows unclosed emphasis and inline code as if they were closed', () => {
    expect(htmlOf('a **bol')).to.equal('<p>a <strong>bol</strong></p>');
    expect(htmlOf('a **bold*')).to.equal('<p>a <strong>bold</strong></p>');
    expect(htmlOf('a `cod')).to.equal('<p>a <code>cod</code></p>');
    expect(htmlOf('a ~~gon')).to.equal('<p>a <del>gon</del></p>');
    expect(htmlOf('a *b **c')).to.equal('<p>a <em>b <strong>c</strong></em></p>');
  });

  it('hides markup that has no content yet', () => {
    expect(htmlOf('a **')).to.equal('<p>a </p>');
    expect(htmlOf('a `')).to.equal('<p>a </p>');
    for (const start of ['#', '- ', '1.', '**', '```js', '|', '---']) {
      expect(renderUnfinished(start).textContent, start).to.equal('');
    }
  });

  it('shows the text of incomplete links without their URLs', () => {
    expect(htmlOf('see [the gui')).to.equal('<p>see the gui</p>');
    expect(htmlOf('see [the guide](https://a.exa')).to.equal('<p>see the guide</p>');
    expect(htmlOf('see ![a chart](https://a.exa')).to.equal('<p>see </p>');
    expect(htmlOf('a\n\n[ref]: https://a.exa')).to.equal('<p>a</p><p></p>');
  });

  it('shows a table, including incomplete rows, once its delimiter row is complete', () => {
    expect(renderUnfinished('| a | b |\n|--').textContent).to.equal('');
    const rows = renderUnfinished('| a | b |\n|--|--|\n| one | tw').querySelectorAll('td');
    expect([...rows].map((cell) => cell.textContent)).to.deep.equal(['one', 'tw']);
  });

  it('shows unclosed code without an incomplete closing fence', () => {
    const content = renderUnfinished('```js\nlet a;\nlet b;\n``');
    expect(content.querySelector('code')?.textContent).to.equal('let a;\nlet b;');
  });

  it('keeps the DOM nodes of complete blocks', () => {
    const { content, document } = createDocument();
    const start =
      '# One\n\nTwo **three**\n\n- four\n- five\n\n| a |\n|---|\n| b |\n\n```\nsix\n```\n\nseven ';
    document.update(start, true);
    const settled = [...content.querySelectorAll('*')].filter(
      (node) => !node.matches('p:last-child'),
    );
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver(() => {});
    observer.observe(content, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });

    let text = start;
    for (let index = 0; index < 200; index += 1) {
      text += index % 40 === 39 ? '.\n\n' : `**word** ${index} `;
      document.update(text, true);
      changes.push(...observer.takeRecords());
    }

    expect(changes.length).to.be.above(0);
    expect(changes.filter(({ target }) => settled.includes(target as Element))).to.deep.equal([]);
    expect(settled.every((node) => content.contains(node))).to.equal(true);
  });

  it('changes as few DOM nodes for each word of a long answer as for each word of a short answer', () => {
    const mutationCount = (before: string) => {
      const { content, document } = createDocument();
      document.update(before, true);
      const observer = new MutationObserver(() => {});
      observer.observe(content, { subtree: true, childList: true, characterData: true });
      let text = before;
      for (let index = 0; index < 100; index += 1) {
        text += 'word ';
        document.update(text, true);
      }
      return observer.takeRecords().length;
    };

    expect(mutationCount('start '.repeat(5_000))).to.be.at.most(mutationCount('start ') + 2);
    expect(mutationCount(`\`\`\`\n${'line\n'.repeat(5_000)}`)).to.be.at.most(
      mutationCount('start ') + 2,
    );
    expect(mutationCount('- item\n'.repeat(2_000))).to.be.at.most(mutationCount('start ') + 2);
  });

  it('updates the blocks that use a reference when the reference is defined', () => {
    const { content, document } = createDocument();
    document.update('[a] b\n\nplain\n\n', true);
    const [first, second] = content.querySelectorAll('p');
    document.update('[a] b\n\nplain\n\n[a]: https://a.example\n\n', true);

    expect(first?.querySelector('a')?.href).to.equal('https://a.example/');
    expect(content.contains(first ?? null) && content.contains(second ?? null)).to.equal(true);
  });
});
