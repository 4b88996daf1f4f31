import '../../define-all.ts';
import { createInlayClient, hostTokens } from '@inlay/client';
import type { InlayConversationItem } from '../conversation-item/conversation-item.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';

async function setup(
  options: { readonly texts?: readonly string[]; readonly current?: string } = {},
) {
  const platform = testPlatform();
  const ids = (options.texts ?? ['Where is my order?', 'Change my seat', 'A refund, please']).map(
    (text) => platform.seed('kim', [events.user(text), events.agent(`About: ${text}`)]),
  );
  const client = createInlayClient({
    baseUrl: platform.baseUrl,
    tokens: hostTokens(() => 'et_kim_1'),
  });
  const element = document.createElement('inlay-conversation-list');
  Object.assign(element, { sessions: client.sessions, current: options.current ?? ids[0] });
  element.style.height = '480px';
  mount(element);
  finishAnimations(element);
  const user = new User(element);
  const conversations = () => deepAll(element, 'inlay-conversation-item');
  const openMenu = (index: number) =>
    deepAll<HTMLButtonElement>(conversations()[index] ?? element, '.more')[0]?.click();
  /** Creates a conversation with this age in milliseconds. */
  const seedAt = (age: number, ...drafts: Parameters<typeof platform.seed>[1]) => {
    const { now } = Date;
    Date.now = () => now() - age;
    platform.seed('kim', drafts);
    Date.now = now;
  };
  return { platform, client, element, user, ids, conversations, openMenu, seedAt };
}

/** Types into the search field. */
async function search(element: HTMLElement, text: string) {
  const [field] = deepAll<HTMLInputElement>(element, 'input[type=search]');
  if (!field) throw new Error('There is no search field.');
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  await nextFrame();
}

describe('inlay-conversation-list', () => {
  it('lists the latest conversations first, and marks the current conversation', async () => {
    const { element, user, ids } = await setup();
    await user.sees('Where is my order?');
    await user.sees('A refund, please');

    expect(user.text.indexOf('A refund, please')).to.be.lessThan(user.text.indexOf('Where is'));
    const [current] = deepAll(element, '[aria-current=true]');
    expect(current?.textContent).to.contain('Where is my order?');
    expect(ids).to.have.length(3);
    await expectAccessible(element);
  });

  it('leaves at least two thirds of a low window to the conversations, as with 400 % zoom', async () => {
    const { element, user } = await setup();
    await user.sees('Where is my order?');
    element.style.height = '180px';

    expect(deepAll(element, '.scroller')[0]?.clientHeight).to.be.at.least(120);
    expect(user.buttons('New conversation')).to.have.length(1);
    await expectAccessible(element);
  });

  it('groups conversations by day, below those that wait for the user', async () => {
    const day = 86_400_000;
    const { element, user, seedAt } = await setup({ texts: ['Asked today'] });
    const waiting = { type: 'requires_action', event_ids: [] };
    seedAt(3 * day, events.user('Pay it'), { type: 'session.status_idle', stop_reason: waiting });
    seedAt(2 * day, events.user('Asked earlier'));
    seedAt(day, events.user('Asked yesterday'));
    element.current = '';

    await user.sees('Asked yesterday');
    expect(user.text).to.match(
      /Pay it Waiting for you .*today Asked today .*yesterday Asked yesterday .*Earlier Asked earlier/,
    );
    const lists = deepAll(element, 'ul').map(
      (list) =>
        list
          .getAttribute('aria-labelledby')
          ?.split(' ')
          .map((id) => deepAll(element, `#${id}`)[0]?.textContent)
          .join() ?? list.ariaLabel,
    );
    expect(lists).to.deep.equal(['Conversations', 'today', 'yesterday', 'Earlier']);
    await expectAccessible(element);
  });

  it('dispatches inlay-open-conversation for the chosen conversation', async () => {
    const { element, user, ids } = await setup();
    await user.sees('Change my seat');
    const opened: string[] = [];
    element.addEventListener('inlay-open-conversation', ({ detail }) =>
      opened.push(detail.sessionId),
    );

    const [button] = deepAll<HTMLButtonElement>(element, 'button.conversation').filter((each) =>
      each.textContent?.includes('Change my seat'),
    );
    button?.click();

    expect(opened).to.deep.equal([ids[1]]);
  });

  it('searches messages, and announces that nothing was found', async () => {
    const { element, user } = await setup();
    await user.sees('Change my seat');
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));

    await search(element, 'seat');
    await user.seesNo('A refund, please');
    expect(user.text).to.contain('Change my seat');

    await search(element, 'zeppelin');
    await user.sees('No conversations match “zeppelin”');
    expect(announced).to.deep.equal(['No conversations match “zeppelin”']);
    await expectAccessible(element);

    await user.click('Clear the search');
    await user.sees('A refund, please');
    const [field] = deepAll<HTMLInputElement>(element, 'input:focus');
    expect(field?.value).to.equal('');
    expect(user.buttons('Clear the search')).to.have.length(0);
  });

  it('renames a conversation', async () => {
    const { element, user, client, ids, openMenu } = await setup();
    await user.sees('A refund, please');

    openMenu(0);
    await user.click('Rename');
    await expectAccessible(element);
    const field = await until('the name', () =>
      deepAll<HTMLInputElement>(element, 'input[name=title]').at(0),
    );
    field.value = 'Refund of May';
    await user.click('Save');

    await user.sees('Refund of May');
    const renamed = await client.sessions.get(ids[2] ?? '');
    expect(renamed.title).to.equal('Refund of May');
  });

  it('archives a conversation, shows the archive, and unarchives it', async () => {
    const { element, user, openMenu } = await setup();
    await user.sees('A refund, please');

    openMenu(0);
    await user.click('Archive');
    await user.seesNo('A refund, please');
    await user.click('Archived');
    await user.sees('A refund, please');
    expect(user.text).not.to.contain('Change my seat');
    await expectAccessible(element);

    openMenu(0);
    await user.click('Unarchive');
    await user.sees('No conversations yet');
    await user.click('Back to all conversations');
    await user.sees('A refund, please');
  });

  it('deletes a conversation after a confirmation, and dispatches inlay-conversation-deleted', async () => {
    const { element, user, ids, openMenu } = await setup();
    element.deletable = true;
    await user.sees('A refund, please');
    const deleted: string[] = [];
    element.addEventListener('inlay-conversation-deleted', ({ detail }) =>
      deleted.push(detail.sessionId),
    );

    openMenu(0);
    await user.click('Delete');
    await user.sees('This can’t be undone');
    await expectAccessible(element);
    await user.click('Delete');

    await user.seesNo('A refund, please');
    await until('the event', () => deleted.length > 0);
    expect(deleted).to.deep.equal([ids[2]]);
  });

  it('moves focus into itself after a deletion, unless the user has moved it elsewhere', async () => {
    const { element, user, openMenu } = await setup();
    element.deletable = true;
    await user.sees('A refund, please');
    const { fetch } = globalThis;
    let answer: (() => void) | null = null;
    // The test platform restores the original `fetch` after the test.
    globalThis.fetch = async (input, init) => {
      if (init?.method === 'DELETE') {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      }
      return fetch(input, init);
    };
    const completeDeletion = async () => {
      const complete = await until('the request', () => answer);
      answer = null;
      complete();
    };
    const startDeletion = async () => {
      openMenu(0);
      await user.click('Delete');
      await user.sees('This can’t be undone');
      await user.click('Delete');
    };
    const elsewhere = mount(document.createElement('input'));

    await startDeletion();
    elsewhere.focus();
    await completeDeletion();
    await user.seesNo('A refund, please');
    await nextFrame();
    expect(elsewhere.matches(':focus')).to.equal(true);

    await startDeletion();
    await completeDeletion();
    await user.seesNo('Change my seat');
    await until('the focus', () => deepAll(element, 'input[type=search]:focus').length === 1);
  });

  it('does not take focus from the page if its code is loaded late', async () => {
    const elsewhere = mount(document.createElement('input'));
    elsewhere.focus();

    const { user } = await setup();
    await user.sees('A refund, please');

    expect(elsewhere.matches(':focus')).to.equal(true);
  });

  it('offers no deletion unless `deletable` is set', async () => {
    const { user, openMenu } = await setup();
    await user.sees('A refund, please');

    openMenu(0);
    await user.sees('Rename');

    expect(user.buttons('Delete')).to.have.length(0);
  });

  it('closes a menu with Escape, and dispatches inlay-close-conversation-list with the next Escape', async () => {
    const { element, user, openMenu } = await setup();
    await user.sees('A refund, please');
    let closed = 0;
    element.addEventListener('inlay-close-conversation-list', () => {
      closed += 1;
    });
    const pressEscape = () =>
      deepAll(element, ':focus')
        .at(-1)
        ?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }),
        );

    openMenu(0);
    await user.sees('Rename');
    pressEscape();
    await user.seesNo('Rename');
    expect(closed).to.equal(0);
    await until('the focus to come back', () => deepAll(element, '.more:focus').length === 1);

    pressEscape();
    expect(closed).to.equal(1);
  });

  it('shows that an action failed, keeps the list, and retries when the user clicks “Try again”', async () => {
    const { user, platform, openMenu } = await setup();
    await user.sees('A refund, please');

    platform.refuse('INTERNAL_ERROR');
    openMenu(0);
    await user.click('Archive');
    await user.sees('Something went wrong');
    expect(user.text).to.contain('A refund, please');

    platform.refuse(null);
    await user.click('Try again');
    await user.seesNo('Something went wrong');
  });

  it('is updated at the end of a run, with all rows that were loaded, but not while a row has focus', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `Question ${index + 1}`);
    const { element, user, platform, client, ids, openMenu } = await setup({ texts });
    await user.sees('Question 50');
    const [scroller] = deepAll(element, '.scroller');
    const oldest = () =>
      until('the oldest conversation', () => {
        if (scroller) scroller.scrollTop = scroller.scrollHeight;
        return /Question 1(?!\d)/.test(user.text);
      });
    await oldest();
    const lists = () => platform.requests().filter(({ name }) => name === 'GET /sessions').length;
    const before = lists();
    await client.sessions.update(ids[49] ?? '', { title: 'Renamed elsewhere' });

    openMenu(0);
    await user.sees('Rename');
    element.stopReason = { type: 'end_turn' };
    await element.updateComplete;
    expect(lists()).to.equal(before);
    const [search] = deepAll(element, 'input[type=search]');
    search?.focus();
    await until('the update', () => {
      if (scroller) scroller.scrollTop = 0;
      return user.text.includes('Renamed elsewhere');
    });

    await oldest();
    expect(lists()).to.equal(before + 1);
  });

  it('keeps the list if an update fails', async () => {
    const { element, user, platform } = await setup();
    await user.sees('A refund, please');
    platform.refuse('INTERNAL_ERROR');
    const before = platform.requests().length;

    element.current = '';
    await until('the request', () => platform.requests().length > before);
    await nextFrame();

    expect(user.text).to.contain('A refund, please').and.not.to.contain('Something went wrong');
  });

  it('loads more pages on scrolling, and renders only the rows near the visible area', async () => {
    const texts = Array.from({ length: 130 }, (_, index) => `Question ${index + 1}`);
    const { element, user, platform, conversations } = await setup({ texts });
    await user.sees('Question 130');
    const [scroller] = deepAll(element, '.scroller');
    const lists = () => platform.requests().filter(({ name }) => name === 'GET /sessions').length;
    const before = lists();

    await until('the oldest conversation', async () => {
      if (scroller) scroller.scrollTop = scroller.scrollHeight;
      await nextFrame();
      expect(conversations().length).to.be.lessThan(40);
      return /Question 1(?!\d)/.test(user.text);
    });

    expect(lists() - before).to.be.greaterThan(1);
    expect(user.text).not.to.contain('Question 130');
  });

  it('shows each of 200 conversations with long titles, none over another, while the user scrolls', async () => {
    const filler = 'unbroken'.repeat(40);
    const texts = Array.from({ length: 200 }, (_, index) => `${index + 1} ${filler}`.slice(0, 300));
    const { element, user, ids, conversations } = await setup({ texts });
    element.style.width = '280px';
    await user.sees('200 unbroken');
    const [scroller] = deepAll(element, '.scroller');
    if (!scroller) throw new Error('There is no scroller.');

    const seen = new Set<string | undefined>();
    await until('the oldest conversation', async () => {
      scroller.scrollTop += 300;
      await nextFrame();
      const rows = conversations();
      const { left, right } = scroller.getBoundingClientRect();
      for (const [index, row] of rows.entries()) {
        seen.add((row as InlayConversationItem).session?.id);
        const box = row.getBoundingClientRect();
        const above = rows[index - 1]?.getBoundingClientRect();
        expect(box.top).to.be.at.least((above?.bottom ?? box.top) - 0.01);
        expect(box.left >= left && box.right <= right).to.equal(true);
      }
      const visible = element.shadowRoot?.elementFromPoint(
        (left + right) / 2,
        scroller.getBoundingClientRect().top + 100,
      );
      expect(visible?.closest('inlay-conversation-item, h3, .scroller')).to.not.equal(scroller);
      return seen.size === ids.length;
    });
    expect(scroller.scrollWidth).to.equal(scroller.clientWidth);
  });
});
