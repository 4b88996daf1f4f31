import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';

async function setup(text: string, streaming = false) {
  const element = document.createElement('inlay-markdown');
  element.style.cssText = 'display: block; inline-size: 800px;';
  Object.assign(element, { text, streaming });
  mount(element);
  await element.updateComplete;
  return element;
}

/** The text of each line on screen, from top to bottom, without empty lines. */
function linesOf({ shadowRoot }: Element): string[] {
  const content = shadowRoot?.querySelector('[part=content]');
  if (!content) return [];
  const lines: { top: number; text: string }[] = [];
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    for (let index = 0; index < text.length; index += 1) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      // WebKit has another, empty rectangle at the end of the previous line.
      const { top = 0, width = 0 } = [...range.getClientRects()].at(-1) ?? {};
      if (width === 0 || text.data[index] === '\n') continue;
      const line = lines.at(-1);
      if (line && Math.abs(line.top - top) < 12) line.text += text.data[index];
      else lines.push({ top, text: text.data[index] ?? '' });
    }
  }
  return lines.map(({ text }) => text.trim());
}

describe('line breaks of the source', () => {
  it('are rendered in paragraphs, lists and quotes', async () => {
    const element = await setup(
      'Ada Lovelace\n12 St James’s Square\nLondon\n\n- Q: Why?\n  A: Because.\n\n> Roses are red,\n> **violets**\n> are blue.',
    );

    expect(linesOf(element)).to.deep.equal([
      'Ada Lovelace',
      '12 St James’s Square',
      'London',
      'Q: Why?',
      'A: Because.',
      'Roses are red,',
      'violets',
      'are blue.',
    ]);
  });

  it('are not rendered twice after hard line breaks and display formulas', async () => {
    const { offsetHeight } = await setup('one\ntwo');
    for (const text of [
      'one  \ntwo',
      'one\\\ntwo',
      'one<br>\ntwo',
      'one<br /> \ntwo',
      'one\ntwo\n',
    ]) {
      expect((await setup(text)).offsetHeight, JSON.stringify(text)).to.equal(offsetHeight);
    }
    const inLines = await setup('one $$x$$\ntwo');
    expect(inLines.offsetHeight).to.equal((await setup('one $$x$$ two')).offsetHeight);
  });

  it('are rendered identically when the text has streamed', async () => {
    const text = 'Dear Ada,\n\nbest regards<br>\nBob\nSales\n$$x$$\nThe end.\n';
    const streaming = await setup('', true);
    for (let end = 1; end <= text.length; end += 1) {
      streaming.text = text.slice(0, end);
      await streaming.updateComplete;
    }
    streaming.streaming = false;
    await streaming.updateComplete;
    const complete = await setup(text);

    expect(linesOf(streaming)).to.deep.equal(linesOf(complete));
    // WebKit rounds the height of a formula to whole pixels, depending on when it is laid out.
    expect(streaming.offsetHeight).to.be.closeTo(complete.offsetHeight, 1);
  });

  it('are rendered as spaces in inline code', async () => {
    const element = await setup('Run `npm\ntest` now.\n\n| a |\n|---|\n| b |');

    expect(linesOf(element)[0]).to.equal('Run npm test now.');
  });
});

describe('wrapped lines', () => {
  it('stay when the text ends, except for the last block', async () => {
    const paragraphs = Array.from({ length: 40 }, (_, index) => 'word '.repeat(20 + index));
    const element = await setup(`${paragraphs.join('\n\n')}\n\n- One\n- Two`, true);
    const whileStreaming = linesOf(element);
    element.streaming = false;
    await element.updateComplete;

    expect(linesOf(element)).to.deep.equal(whileStreaming);
  });
});
