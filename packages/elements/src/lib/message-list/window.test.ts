import '../../define-all.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { answerText, mountList, questionsAndAnswers } from '../testing/message-list.ts';
import { deepAll, until } from '../testing/user.ts';

/** Finds the text node of a row that contains `text`, also in shadow trees. */
function textIn(row: Element | undefined, text: string): Text {
  const textNode = deepAll(row ?? document.body, 'p, div, span')
    .flatMap((element) => [...element.childNodes])
    .find((node) => node instanceof Text && node.data.includes(text));
  if (!(textNode instanceof Text)) throw new Error(`There is no “${text}”.`);
  return textNode;
}

describe('the rendered rows of the message list', () => {
  it('are at most 20 at first, and all 200 of a conversation after the browser was idle', async () => {
    const element = document.createElement('inlay-message-list');
    element.style.height = '400px';
    element.entries = questionsAndAnswers(200);
    mount(element);
    await element.updateComplete;
    expect(deepAll(element, '.row').length).to.be.at.most(20);

    await until('all rows', () => deepAll(element, '.row').length === 200);
  });

  it('are added above without scrolling the list away from its end', async () => {
    const { atEnd, rows, scroller } = await mountList(questionsAndAnswers(150));
    await until('all rows', () => rows().length === 150);
    await until('the end', atEnd);
    expect(scroller.scrollHeight).to.be.greaterThan(10_000);
  });

  it('are at most 260 of 2,000, at the end, in the middle and at the start', async () => {
    const { element, rows, keys, scroller, scrollTo, settled } = await mountList(
      questionsAndAnswers(2000),
    );
    await until('200 rows', () => rows().length === 200);
    expect(keys().at(-1)).to.equal('m1999');

    for (let count = 0; count < 20; count += 1) {
      await scrollTo(scroller.scrollTop / 2);
      await settled();
      expect(rows().length).to.be.within(3, 260);
    }
    expect(keys()).not.to.include('m1999');

    await element.focusMessage('first');
    await settled();
    expect(keys()[0]).to.equal('m0');
    element.scrollToEnd();
    await until('the end', () => keys().at(-1) === 'm1999');
  });

  it('include the focused row', async () => {
    const { row, scrollTo, settled } = await mountList(questionsAndAnswers(300));
    await settled();
    const focused = row('m299');
    focused?.focus({ preventScroll: true });

    await scrollTo(0);

    expect(row('m299')).to.equal(focused);
  });

  it('include all selected rows', async () => {
    const { row, keys, scrollTo, scroller, settled } = await mountList(questionsAndAnswers(300));
    await settled();
    await scrollTo(scroller.scrollTop - 150);
    // A pending update could replace the selected text.
    await settled();
    const from = textIn(row('m297'), 'Part 0');
    const to = textIn(row('m299'), 'Part 0');
    getSelection()?.setBaseAndExtent(from, 2, to, 3);
    // Firefox limits a selection to one tree, and the text of each row has its own.
    if (getSelection()?.type !== 'Range') getSelection()?.setBaseAndExtent(from, 2, from, 5);

    await scrollTo(0);

    expect(keys()).to.include('m297');
    expect(from.isConnected).to.equal(true);
  });

  it('include a row with expanded details', async () => {
    const list = [
      ...questionsAndAnswers(100),
      entries.thinking('t'),
      ...questionsAndAnswers(2, 'n'),
    ];
    const { row, scrollTo, settled } = await mountList(list);
    await settled();
    const details = await until(
      'the thoughts',
      () => deepAll(row('t') ?? document.body, 'details')[0],
    );
    deepAll(row('t') ?? document.body, 'summary')[0]?.click();

    await scrollTo(0);

    expect(details.isConnected).to.equal(true);
    expect((details as HTMLDetailsElement).open).to.equal(true);
  });

  it('are all rows of the conversation while the page is printed', async () => {
    const { element, rows } = await mountList(questionsAndAnswers(300));
    await until('200 rows', () => rows().length === 200);

    window.dispatchEvent(new Event('beforeprint'));
    await element.updateComplete;
    expect(rows()).to.have.length(300);
    window.dispatchEvent(new Event('afterprint'));
    await element.updateComplete;

    expect(rows().length).to.equal(200);
  });

  it('include earlier messages, which are requested once when the user scrolls near the top', async () => {
    const { element, scrollTo, settled } = await mountList(questionsAndAnswers(40), {
      hasEarlier: true,
    });
    let requested = 0;
    element.addEventListener('inlay-load-earlier', () => {
      requested += 1;
    });
    await settled();
    expect(requested).to.equal(0);

    await scrollTo(100);
    await scrollTo(60);
    expect(requested).to.equal(1);

    element.loading = true;
    await settled();
    expect(deepAll(element, '.skeleton')).to.have.length(1);
    element.entries = [...questionsAndAnswers(40, 'old'), ...element.entries];
    element.loading = false;
    // The list sends no request until the new rows are rendered.
    await until('the second request', () => scrollTo(30).then(() => requested === 2));
  });

  it('include a date separator between messages of different days', async () => {
    const hour = 3_600_000;
    const noon = new Date().setHours(12, 0, 0, 0);
    const questions = [noon - 24 * hour, noon - 23 * hour, noon].map((at, index) =>
      entries.user(`q${index}`, 'Question', { at }),
    );
    const { element } = await mountList(questions);

    const days = deepAll(element, '.day').map(({ textContent }) => textContent);

    expect(days).to.deep.equal(['Yesterday', 'Today']);
  });
});

describe('a streaming message', () => {
  it('keeps the selection and focus in its complete blocks, and the expanded details of other entries', async () => {
    const settledText = `${answerText('live', 9)}\n\n[A link](https://example.com)\n\nThen`;
    const stream = (text: string) => entries.agent('live', text, { progress: 'streaming' });
    const before = [...questionsAndAnswers(4), entries.thinking('t')];
    const { element, row, settled } = await mountList([...before, stream(settledText)]);
    await settled();
    const text = await until('the text', () => textIn(row('live'), 'Part 0'));
    const link = await until('the link', () => deepAll(row('live') ?? document.body, 'a')[0]);
    const details = deepAll(row('t') ?? document.body, 'details')[0] as HTMLDetailsElement;
    details.open = true;
    const outside = mount(document.createElement('button'));
    outside.focus();
    getSelection()?.setBaseAndExtent(text, 0, text, 4);
    link.focus();
    const selected = String(getSelection());

    for (let count = 0; count < 100; count += 9) {
      element.entries = [...before, stream(`${settledText} ${'more and '.repeat(count)}`)];
      await settled();
    }
    const longText = `${settledText} ${'more and '.repeat(100)}`;
    element.entries = [...before, entries.agent('live', longText)];
    await settled();

    expect(text.isConnected, 'text').to.equal(true);
    expect(link.isConnected, 'link').to.equal(true);
    expect(details.isConnected, 'details').to.equal(true);
    expect(details.open).to.equal(true);
    expect((link.getRootNode() as ShadowRoot).activeElement).to.equal(link);
    expect(String(getSelection())).to.equal(selected);
  });
});
