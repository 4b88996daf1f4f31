import '../../define-all.ts';
import type { Entry } from '@inlay/client';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';

async function setup(list: readonly Entry[], height = 300) {
  const element = document.createElement('inlay-message-list');
  element.style.height = `${height}px`;
  element.entries = list;
  mount(element);
  await element.updateComplete;
  await nextFrame();
  const scroller = deepAll(element, '[role=log]')[0];
  if (!scroller) throw new Error('There is no log.');
  return { element, scroller, user: new User(element) };
}

const makeEntries = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 2
      ? entries.agent(`m${index}`, `Answer ${index}`)
      : entries.user(`m${index}`, `Question ${index}`),
  );

const distanceToEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight;

describe('inlay-message-list', () => {
  it('passes the accessibility audit with every kind of entry', async () => {
    const { element } = await setup([
      entries.user('u', 'Question'),
      entries.thinking('t'),
      entries.tool('x'),
      entries.agent('a', 'Answer'),
      entries.notice('n'),
    ]);

    await expectAccessible(element);
  });

  it('has the log role without announcements, because the chat has its own live region', async () => {
    const { scroller } = await setup(makeEntries(2));

    expect(scroller.getAttribute('aria-live')).to.equal('off');
    expect(scroller.getAttribute('aria-label')).to.equal('Conversation');
  });

  it('is a tab stop only with messages, and describes keys only with messages to move between', async () => {
    for (const [count, isTabStop, hasHint] of [
      [0, false, false],
      [1, true, false],
      [2, true, true],
    ] as const) {
      const { scroller, user } = await setup(makeEntries(count));

      expect(scroller.tabIndex === 0, `tab stop with ${count}`).to.equal(isTabStop);
      expect(user.text.includes('Alt+Page Up'), `hint with ${count}`).to.equal(hasHint);
      expect(scroller.hasAttribute('aria-keyshortcuts'), `keys with ${count}`).to.equal(hasHint);
    }
  });

  it('announces new failures and cards, but no earlier ones', async () => {
    const before = [
      entries.user('u', 'Question'),
      entries.notice('old'),
      entries.card('form', [{ type: 'text', text: 'Old' }]),
      entries.user('again', 'Question', { delivery: 'sending' }),
    ];
    const element = document.createElement('inlay-message-list');
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
    element.entries = before;
    element.resetsAt = new Date(2031, 4, 6, 7, 30).getTime();
    await mount(element).updateComplete;
    await nextFrame();
    expect(announced).to.deep.equal([]);

    const refusal = entries.notice('new', { code: 'EMBED_QUOTA_EXCEEDED', retryable: false });
    const earlier = [entries.notice('older'), ...before];
    const blocks = [{ type: 'text', text: 'New' }];
    const card = entries.card('card', blocks, { card: { title: 'A repair', blocks } });
    element.entries = [...earlier, card, refusal];
    await until('the announcements', () => announced.length > 1);

    expect(announced).to.have.length(2);
    expect(announced[0]).to.equal('Card: A repair');
    expect(announced[1]).to.contain('You can continue from Tuesday, May 6 at 7:30');
  });

  it('stays scrolled to the end while the user has not scrolled up', async () => {
    const { element, scroller } = await setup(makeEntries(40));
    await until('the end', () => distanceToEnd(scroller) <= 1);

    element.entries = [...makeEntries(40), entries.agent('new', 'word '.repeat(300))];
    await element.updateComplete;

    await until('the end', () => distanceToEnd(scroller) <= 1);
  });

  it('keeps the scroll position after the user scrolled up, and shows a button with the number of new messages', async () => {
    const { element, scroller, user } = await setup(makeEntries(40));
    await until('the end', () => scroller.scrollTop > 0 && distanceToEnd(scroller) <= 1);
    await until('all rows', () => deepAll(element, '.row').length === 40);
    scroller.dispatchEvent(new WheelEvent('wheel'));
    scroller.scrollTop = 0;
    await until('the button', () => user.buttons('Jump to the latest message').length > 0);

    element.entries = [
      ...makeEntries(40),
      entries.agent('n1', 'New'),
      entries.agent('n2', 'Newer'),
    ];
    await element.updateComplete;
    await nextFrame();
    expect(scroller.scrollTop).to.equal(0);

    await user.click('2 new messages');
    await until('the end', () => distanceToEnd(scroller) <= 1);
    await until('no button', () => user.buttons('2 new messages').length === 0);
  });

  it('never scrolls the page', async () => {
    const space = mount(document.createElement('div'));
    space.style.height = '3000px';
    const { element } = await setup(makeEntries(40));
    window.scrollTo(0, 0);

    element.entries = [...makeEntries(40), entries.agent('new', 'word '.repeat(300))];
    await element.updateComplete;
    element.scrollToEnd();
    await nextFrame();

    expect(window.scrollY).to.equal(0);
  });

  it('shows a progress indicator during a run until an entry shows progress', async () => {
    const { element } = await setup([entries.user('u', 'Question')]);
    const dots = () => deepAll(element, '.pulse').length;
    expect(dots()).to.equal(0);

    element.running = true;
    await element.updateComplete;
    expect(dots()).to.equal(1);
    element.entries = [
      entries.user('u', 'Question'),
      entries.agent('a', 'Ans', { progress: 'streaming' }),
    ];
    await element.updateComplete;
    expect(dots()).to.equal(0);
  });

  it('shows the progress indicator again while an answer stalls', async () => {
    const { element } = await setup([
      entries.user('u', 'Question'),
      entries.agent('a', 'Ans', { progress: 'streaming' }),
    ]);
    const dots = () => deepAll(element, '.pulse').length;
    element.running = true;
    await element.updateComplete;
    expect(dots()).to.equal(0);

    await until('the dots', () => dots() === 1);
    element.entries = [
      entries.user('u', 'Question'),
      entries.agent('a', 'Answer', { progress: 'streaming' }),
    ];
    await element.updateComplete;
    expect(dots()).to.equal(0);

    element.parentElement?.append(element);
    await until('the dots after a move in the page', () => dots() === 1);
  });

  it('leaves 16 px between question and answer, 12 px between answer and card, and 32 px before the next question', async () => {
    const { element } = await setup(
      [
        entries.user('u', 'Question'),
        entries.agent('a', 'Answer'),
        entries.card('c', [{ type: 'text', text: 'Card' }]),
        entries.user('v', 'Question'),
        entries.agent('b', 'Answer'),
        entries.user('w', 'Question'),
      ],
      1000,
    );
    const boxOf = (key: string, selector: string) => {
      const row = deepAll(element, `[data-key=${key}]`)[0];
      return row && deepAll(row, selector)[0]?.getBoundingClientRect();
    };
    await until('the card', () => boxOf('c', '.card'));
    // Rows get their height in the next frame.
    for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    const gap = (above?: DOMRect, below?: DOMRect) =>
      Math.round((below?.top ?? Number.NaN) - (above?.bottom ?? Number.NaN));

    expect(gap(boxOf('u', '.bubble'), boxOf('a', 'inlay-markdown'))).to.equal(16);
    expect(gap(boxOf('a', 'inlay-markdown'), boxOf('c', '.card'))).to.equal(12);
    expect(gap(boxOf('c', '.card'), boxOf('v', '.bubble'))).to.equal(32);
    expect(gap(boxOf('b', 'inlay-markdown'), boxOf('w', '.bubble'))).to.equal(32);
  });

  it('shows the actions of an answer below its cards, where they cover nothing', async () => {
    const text = [{ type: 'text', text: 'Card' }];
    const { element, user } = await setup(
      [
        entries.user('u', 'Question'),
        entries.agent('a', 'Answer'),
        entries.card('c', text),
        entries.card('d', text),
        entries.user('v', 'Question'),
        entries.agent('b', 'Answer'),
      ],
      1000,
    );
    element.rateable = true;
    const rated: string[] = [];
    element.addEventListener('inlay-entry-rating-request', ({ detail }) => rated.push(detail.key));
    const cards = await until('the cards', () => {
      const found = deepAll(element, '.card[part=base]');
      return found.length === 2 && found;
    });
    const [button] = await until('its buttons', () => {
      const found = user.buttons('Good answer').filter((each) => each.getClientRects().length > 0);
      return found.length === 2 && found;
    });

    expect(button?.getBoundingClientRect().top).to.be.at.least(
      cards[1]?.getBoundingClientRect().bottom ?? Number.NaN,
    );
    button?.click();
    expect(rated).to.deep.equal(['a']);
  });

  it('shows an interrupted answer and its error in one box, without rating buttons', async () => {
    const { element, user } = await setup([
      entries.user('u', 'Question'),
      entries.agent('a', 'I begin', { progress: 'failed' }),
      entries.notice('n', { code: 'model_request_failed_error' }),
    ]);
    element.rateable = true;
    await user.sees('Try again');
    expect(user.text.match(/Answer interrupted/g)).to.have.length(1);
    expect(user.text).not.to.contain('couldn’t answer');
    expect(user.buttons('Good answer')).to.have.length(0);
  });

  it('updates only the streaming message among a thousand', async () => {
    const settled = makeEntries(1000);
    const { element } = await setup([
      ...settled,
      entries.agent('live', 'a', { progress: 'streaming' }),
    ]);
    await until('the last', () => deepAll(element, 'inlay-agent-message').length > 3);
    const changedNodes: Node[] = [];
    const observer = new MutationObserver((records) => {
      changedNodes.push(...records.map(({ target }) => target));
    });
    const options = { childList: true, characterData: true, attributes: true, subtree: true };
    for (const message of deepAll(element, 'inlay-agent-message, inlay-user-message')) {
      const live = (message as { entry?: Entry | null }).entry?.key === 'live';
      if (message.shadowRoot && !live) observer.observe(message.shadowRoot, options);
    }
    if (element.shadowRoot) observer.observe(element.shadowRoot, options);

    for (let step = 1; step <= 20; step += 1) {
      const live = entries.agent('live', 'a '.repeat(step), { progress: 'streaming' });
      element.entries = [...settled, live];
      await element.updateComplete;
    }
    observer.disconnect();

    expect(changedNodes).to.deep.equal([]);
  });

  it('scrolls to the feedback form that opens below a message', async () => {
    const { element, scroller, user } = await setup(makeEntries(8));
    element.rateable = true;
    await until('its buttons', () => user.buttons('Bad answer').length > 1);
    const [button] = user.buttons('Bad answer');
    const bottom = scroller.getBoundingClientRect().bottom;
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, bubbles: true, composed: true }));
    scroller.scrollTop += (button?.getBoundingClientRect().bottom ?? 0) - bottom + 4;
    await nextFrame();

    button?.click();
    const panel = await until('the panel', () =>
      deepAll(element, 'inlay-feedback')[0]?.shadowRoot?.querySelector('[part=base]'),
    );

    await until('the panel in view', () => panel.getBoundingClientRect().bottom <= bottom + 1);
  });
});
