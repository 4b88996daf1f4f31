import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { createDocument, renderComplete, renderInPieces } from '../testing/markdown.ts';

describe('footnotes', () => {
  it('are listed below the text', () => {
    const content = renderComplete('One[^1] two[^b].\n\n[^1]: *First*.\n[^b]: Second.\n\nLast.');
    const notes = [...content.querySelectorAll('.notes li')];

    expect(notes.map((note) => note.firstElementChild?.textContent)).to.deep.equal([
      'First.',
      'Second.',
    ]);
    expect(content.lastElementChild?.matches('.notes')).to.equal(true);
    expect([...content.querySelectorAll('p')].map((text) => text.textContent)).to.include('Last.');
    expect(
      [...content.querySelectorAll('[data-note]')].map((mark) => mark.textContent),
    ).to.deep.equal(['1', '2']);
  });

  it('can contain paragraphs, lists and code', () => {
    const content = renderComplete(
      'a[^1]\n\n[^1]: One.\n\n    Two.\n\n    - three\n\n        four\n\nfive',
    );

    expect(content.querySelectorAll('.note p').length).to.equal(4);
    expect(content.querySelector('.note li p:last-child')?.textContent).to.equal('four');
    expect(content.querySelector('.note')?.textContent).not.to.contain('five');
  });

  it('are plain text, not links or images, if their definition is missing', () => {
    const content = renderComplete('a[^1] b[^2](https://a.example) ![^3]\n\n[^3]: c');

    expect(content.querySelector('p')?.textContent).to.equal('a[^1] b^2 !1');
  });

  it('are numbered in the order of their first references', () => {
    const content = renderComplete(
      'One[^b] two[^a] one again[^b].\n\n[^a]: A.\n[^b]: B[^c].\n[^c]: C.\n[^unused]: no\n[^a]: again',
    );
    const marks = [...(content.querySelector('p')?.querySelectorAll('[data-note]') ?? [])];

    expect(marks.map((mark) => mark.textContent)).to.deep.equal(['1', '2', '1']);
    expect(
      [...content.querySelectorAll('.note')].map((note) => note.firstElementChild?.textContent),
    ).to.deep.equal(['B3.', 'A.', 'C.']);
    expect(content.textContent).not.to.contain('no');
    expect(content.textContent).not.to.contain('again.\u21a9');
  });

  it('need no space after their label, and can follow an exclamation mark', () => {
    const content = renderComplete('Amazing![^1]\n\n[^1]:note');

    expect(content.querySelector('p')?.textContent).to.equal('Amazing!1');
    expect(content.querySelector('.note')?.textContent).to.equal('note↩');
  });

  it('have the same order when the text streams', () => {
    const text = 'a[^2] b[^1]\n\n[^1]: one[^3]\n\n[^3]: three\n\nmore[^4]\n\n[^2]: two\n[^4]: four';
    for (const size of [1, 3, 10]) {
      expect(renderInPieces(text, [size]).innerHTML).to.equal(renderComplete(text).innerHTML);
    }
  });

  it('keep the DOM of blocks that do not refer to them', () => {
    const { content, document } = createDocument();
    document.update('plain **text**\n\nsee[^1] **this**\n\n', true);
    const [plain, referring] = content.querySelectorAll('p');
    const strong = plain?.querySelector('strong');
    document.update('plain **text**\n\nsee[^1] **this**\n\n[^1]: note\n', true);

    expect(plain?.querySelector('strong')).to.equal(strong);
    expect(referring?.querySelector('[data-note]')?.textContent).to.equal('1');
  });

  it('link back to a reference in nested closed details', async () => {
    const element = mount(document.createElement('inlay-markdown'));
    element.text =
      '<details>\n<summary>a</summary>\n<details>\n<summary>b</summary>\n\nc[^1]\n</details>\n</details>\n\n[^1]: d';
    await element.updateComplete;
    const root = element.shadowRoot;
    root?.querySelector<HTMLElement>('.note-back')?.click();

    expect(root?.activeElement?.className).to.equal('mark');
  });

  it('move the focus to the footnote and back in the same message', async () => {
    const element = mount(document.createElement('inlay-markdown'));
    const other = mount(document.createElement('inlay-markdown'));
    other.text = 'x[^1]\n\n[^1]: y';
    element.text = 'a[^1] b[^2]\n\n[^1]: c\n[^2]: d';
    await element.updateComplete;
    await other.updateComplete;
    await expectAccessible(element);
    const root = element.shadowRoot;
    const byName = (name: string) => root?.querySelector<HTMLElement>(`[aria-label="${name}"]`);

    byName('Footnote 2')?.click();
    expect(root?.activeElement?.textContent).to.contain('d');
    byName('Back to the text of footnote 2')?.click();
    expect(root?.activeElement).to.equal(byName('Footnote 2'));
  });
});
