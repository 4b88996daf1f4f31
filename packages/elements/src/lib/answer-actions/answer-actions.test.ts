import '../../define-all.ts';
import type { AgentEntry } from '@inlay/client';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';

/** Mounts the actions below an agent message. */
async function setup(overrides: Partial<AgentEntry> = {}) {
  const element = mount(document.createElement('inlay-agent-message'));
  Object.assign(element, { entry: entries.agent('a', 'It is *here*.', overrides), rateable: true });
  await element.updateComplete;
  return { element, user: new User(element) };
}

/** Whether an element is the focused element of its shadow root. */
function isFocused(element: Element | undefined): boolean {
  const tree = element?.getRootNode();
  return tree instanceof ShadowRoot && tree.activeElement === element;
}

describe('inlay-answer-actions', () => {
  it('passes the accessibility audit, with and without the feedback form', async () => {
    const { element, user } = await setup();
    Object.assign(element, { repeatable: true, quotable: true });
    await element.updateComplete;
    await expectAccessible(element);
    await user.click('Bad answer');
    await user.sees('What went wrong?');
    finishAnimations(element);

    await expectAccessible(element);
  });

  it('is a single tab stop, within which the arrow keys, Home and End move the focus', async () => {
    const { element } = await setup();
    const [copy, good, bad] = deepAll<HTMLButtonElement>(element, '.actions button');
    const tabStops = () =>
      deepAll(element, '.actions button').filter((button) => button.tabIndex === 0);
    expect(tabStops()).to.deep.equal([copy]);
    const press = (button: HTMLElement | undefined, key: string) =>
      button?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));

    copy?.focus();
    press(copy, 'ArrowRight');
    expect(isFocused(good)).to.equal(true);
    press(good, 'End');
    expect(isFocused(bad)).to.equal(true);
    expect(tabStops()).to.deep.equal([bad]);
    press(bad, 'Home');
    expect(isFocused(copy)).to.equal(true);
  });

  it('sends the rating immediately, opens the feedback form, and restores focus after the feedback is sent', async () => {
    const { element, user } = await setup({ feedback: 'down' });
    const ratings: unknown[] = [];
    const announced: string[] = [];
    element.addEventListener('inlay-entry-rating-request', ({ detail }) => ratings.push(detail));
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
    expect(user.buttons('Bad answer')[0]?.ariaPressed).to.equal('true');
    expect(user.buttons('Good answer')[0]?.ariaPressed).to.equal('false');

    await user.click('Good answer');
    await user.click('Helpful');
    await user.click('Send feedback');
    await user.sees('Thanks for your feedback.');

    expect(ratings).to.deep.equal([
      { key: 'a', rating: 'up', reasons: [], comment: '' },
      { key: 'a', rating: 'up', reasons: ['helpful'], comment: '' },
    ]);
    expect(announced).to.deep.equal(['What did you like?', 'Thanks for your feedback.']);
    await until('the focus', () => isFocused(user.buttons('Good answer')[0]));
  });

  it('has a button that regenerates the answer if `repeatable` is set', async () => {
    const { element, user } = await setup();
    expect(user.buttons('Regenerate')).to.have.length(0);
    element.repeatable = true;
    await element.updateComplete;
    const keys: string[] = [];
    element.addEventListener('inlay-again', ({ detail }) => keys.push(detail.key));

    await user.click('Regenerate');

    expect(keys).to.deep.equal(['a']);
  });

  it('shows custom actions and calls them with the message', async () => {
    const { element, user } = await setup();
    const ran: string[] = [];
    element.messageActions = [
      { id: 'crm', label: 'Save to CRM', run: ({ key }) => ran.push(key) },
      { id: 'pin', label: 'Pin', icon: 'M4 4h4', run: () => ran.push('pin') },
      { id: 'own', label: 'Only mine', on: ['user'], run: () => ran.push('own') },
    ];
    await element.updateComplete;

    await user.click('Save to CRM');
    await user.click('Pin');

    expect(ran).to.deep.equal(['a', 'pin']);
    expect(user.buttons('Only mine')).to.have.length(0);
  });

  it('quotes the selected text when the user clicks Quote or presses Alt+Q', async () => {
    const { element, user } = await setup();
    element.quotable = true;
    await element.updateComplete;
    const quotes: string[] = [];
    element.addEventListener('inlay-quote', ({ detail }) => quotes.push(detail.text));
    const select = () => {
      const words = deepAll(element, 'em')[0];
      if (!words) throw new Error('There are no words to select.');
      getSelection()?.setBaseAndExtent(words, 0, words, words.childNodes.length);
    };

    select();
    await user.click('Quote');
    select();
    await until('the button', () => user.buttons('Quote')[0]);
    const press = (key: string, code: string) =>
      document.dispatchEvent(new KeyboardEvent('keydown', { key, code, altKey: true }));
    press('a', 'KeyQ'); // The key of A in the AZERTY layout.
    expect(quotes).to.deep.equal(['here']);
    press('œ', 'KeyQ'); // Option+Q on macOS.

    expect(quotes).to.deep.equal(['here', 'here']);
    await user.seesNo('Quote');
  });

  it('copies Markdown and HTML, and announces whether copying succeeded', async () => {
    const { element, user } = await setup();
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
    const { clipboard } = navigator;
    const { write, writeText } = clipboard;
    const items: ClipboardItem[] = [];
    const texts: string[] = [];
    clipboard.write = async (data) => void items.push(...data);
    clipboard.writeText = async (text) => void texts.push(text);

    await user.click('Copy message');
    await until('“Copied”', () => announced.length === 1);
    clipboard.write = () => Promise.reject(new Error('plain text alone'));
    await user.click('Copied');
    await until('“Copied”', () => announced.length === 2);
    clipboard.writeText = () => Promise.reject(new Error('no permission'));
    await user.click('Copied');
    await until('the error message', () => announced.length === 3);
    Object.assign(clipboard, { write, writeText });

    const html = await (await items[0]?.getType('text/html'))?.text();
    expect(html).to.equal('<p dir="ltr">It is <em>here</em>.</p>');
    expect(texts).to.deep.equal(['It is *here*.']);
    expect(announced.slice(0, 2)).to.deep.equal(['Copied', 'Copied']);
    expect(announced[2]).to.contain('isn’t allowed');
  });

  it('copies no citation marks of models, except in code', async () => {
    const { element, user } = await setup();
    element.entry = entries.agent('a', 'It is *here*【4:0†source】, in `【4:0†source】`[^1^].');
    await element.updateComplete;
    const { clipboard } = navigator;
    const { write } = clipboard;
    const items: ClipboardItem[] = [];
    clipboard.write = async (data) => void items.push(...data);

    await user.click('Copy message');
    await until('the copy', () => items[0]);
    clipboard.write = write;

    const copied = async (type: string) => await (await items[0]?.getType(type))?.text();
    expect(await copied('text/plain')).to.equal('It is *here*, in `【4:0†source】`.');
    expect(await copied('text/html')).to.contain(
      'It is <em>here</em>, in <code>【4:0†source】</code>.',
    );
  });

  it('copies tasks, footnotes, collapsed text and alignments as HTML that other programs understand', async () => {
    const { element, user } = await setup();
    const text =
      '- [x] sent\n- [ ] paid\n\n| a | b |\n|--|--:|\n| 1 | 2 |\n\nTrue.[^1]\n\n' +
      '<details><summary>More</summary>\n\nDetails.\n\n</details>\n\n[^1]: A note.';
    element.entry = entries.agent('a', text);
    const { clipboard } = navigator;
    const { write } = clipboard;
    const items: ClipboardItem[] = [];
    clipboard.write = async (data) => void items.push(...data);

    await user.click('Copy message');
    await until('the copy', () => items[0]);
    clipboard.write = write;

    const html = await (await items[0]?.getType('text/html'))?.text();
    const copied = new DOMParser().parseFromString(html ?? '', 'text/html');
    const texts = (selector: string) =>
      [...copied.querySelectorAll(selector)].map(({ textContent }) => textContent);
    expect(texts('ul > li')).to.deep.equal(['☑ sent', '☐ paid']);
    expect(copied.querySelector('input')).to.equal(null);
    expect(texts('sup')).to.deep.equal(['1']);
    expect(texts('section li')).to.deep.equal(['A note.']);
    expect(texts('details > :first-child')).to.deep.equal(['More']);
    expect(copied.querySelector('details')?.open).to.equal(true);
    expect(copied.querySelector('td:last-child')?.getAttribute('align')).to.equal('right');
  });

  it('opens no feedback form if the page prevents inlay-entry-rating-request', async () => {
    const { element, user } = await setup();
    element.addEventListener('inlay-entry-rating-request', (event) => event.preventDefault());

    await user.click('Bad answer');
    await element.updateComplete;

    expect(user.text).not.to.contain('What went wrong?');
  });
});
