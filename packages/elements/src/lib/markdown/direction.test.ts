import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { createDocument, renderComplete, renderInPieces } from '../testing/markdown.ts';

describe('a long paragraph', () => {
  it('has the direction of its first letter', () => {
    const content = renderComplete(`- 1. ${'שלום '.repeat(1_200)}\n- short`);
    const [longParagraph, shortParagraph] = content.querySelectorAll('p');

    expect([longParagraph?.dir, longParagraph?.className]).to.deep.equal(['rtl', 'one-direction']);
    expect([shortParagraph?.dir, shortParagraph?.className]).to.deep.equal(['', '']);
  });

  it('has the direction of its first letter also when it streams', () => {
    const text = `1 ${'word '.repeat(1_200)}`;
    const { content, document } = createDocument();
    for (let end = 0; end < text.length; end += 100) document.update(text.slice(0, end), true);
    document.update(text, false);

    expect(content.innerHTML).to.equal(renderComplete(text).innerHTML);
    expect(content.querySelector('p')?.dir).to.equal('ltr');
  });

  it('has one direction for all lines, unlike a short paragraph', async () => {
    const element = mount(document.createElement('inlay-markdown'));
    element.text = `Short.\n\n${'word '.repeat(1_200)}`;
    await element.updateComplete;
    const styles = [...(element.shadowRoot?.querySelectorAll('p') ?? [])].map(
      (paragraph) => getComputedStyle(paragraph).unicodeBidi,
    );

    expect(styles).to.deep.equal(['plaintext', 'isolate']);
  });
});

describe('a paragraph whose last line becomes the header of a table', () => {
  const header = `| ${'שלום '.repeat(1_200)} | b |\n| --- | --- |`;
  const directions = (text: string) =>
    [...renderInPieces(text, [700]).querySelectorAll('p')].map(({ dir, className }) => [
      dir,
      className,
    ]);

  it('has no direction from the header', () => {
    expect(directions('12:30\nשלום | b\n--- | ---')).to.deep.equal([['', '']]);
    expect(directions(`12:30\n${header}`)).to.deep.equal([['', '']]);
    expect(directions(`- 12:30\n${header.replaceAll(/^/gm, '  ')}`)).to.deep.equal([['', '']]);
  });

  it('keeps the direction of its own first letter', () => {
    expect(directions(`12:30 noon\n${header}`)).to.deep.equal([['ltr', '']]);
    expect(directions(`${'word '.repeat(1_200)}\n${header}`)).to.deep.equal([
      ['ltr', 'one-direction'],
    ]);
  });
});

describe('a right-to-left answer', () => {
  async function sidesOf(text: string, selector: string) {
    const element = mount(document.createElement('inlay-markdown'));
    element.style.inlineSize = '400px';
    element.text = text;
    await element.updateComplete;
    return [...(element.shadowRoot?.querySelectorAll(selector) ?? [])].map((block) => {
      const range = document.createRange();
      range.selectNodeContents(block);
      const content = range.getBoundingClientRect();
      const box = block.getBoundingClientRect();
      const space = { left: content.left - box.left, right: box.right - content.right };
      return space.right < space.left ? 'right' : 'left';
    });
  }

  it('has items, quotes and cells on the right that start with a Latin word', async () => {
    const list = 'الخطوات:\n\n1. افتح الصفحة.\n2. Docker هو برنامج.\n   - Node.js و npm.\n';
    expect(await sidesOf(list, 'li p')).to.deep.equal(['right', 'right', 'right']);
    expect(await sidesOf('- פתח את הדף.\n- API מחזיר 404.', 'li p')).to.deep.equal([
      'right',
      'right',
    ]);
    expect(await sidesOf('> פתח את הדף.\n>\n> API מחזיר.', 'p')).to.deep.equal(['right', 'right']);
    const table = '| שם | b |\n|---|---|\n| API מחזיר ערך ארוך מאוד כאן | API |';
    expect((await sidesOf(table, 'td'))[1]).to.equal('right');
  });

  it('has blocks on the right that start with a Latin word after a right-to-left block', async () => {
    const text =
      'الخطوات:\n\n1. Docker هو برنامج.\n2. npm.\n\n## API الجديد\n\nDocker هو برنامج.\n\nEnglish.';
    expect(await sidesOf(text, 'p, h5')).to.deep.equal([
      ...['right', 'right', 'right', 'right', 'right', 'left'],
    ]);
    for (const size of [1, 3]) {
      expect(renderInPieces(text, [size]).innerHTML).to.equal(renderComplete(text).innerHTML);
    }
  });
});

describe('emphasis', () => {
  it('is not slanted in Arabic and Hebrew, which have no italics', async () => {
    const element = mount(document.createElement('inlay-markdown'));
    element.text = 'An *apple*.\n\nיום *טוב*.';
    await element.updateComplete;
    const styles = [...(element.shadowRoot?.querySelectorAll('em') ?? [])].map(
      (emphasis) => getComputedStyle(emphasis).fontStyle,
    );

    expect(styles).to.deep.equal(['italic', 'normal']);
  });
});
