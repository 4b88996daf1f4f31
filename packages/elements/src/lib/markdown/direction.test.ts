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
