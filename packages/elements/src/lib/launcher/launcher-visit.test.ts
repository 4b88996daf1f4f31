import '../../define-all.ts';
import { sendKeys } from '@web/test-runner-commands';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';
import type { InlayLauncher } from './launcher.ts';

/** Returns `load`, which inserts the launcher as a page load does. All loads are in the same visit. */
function setup(options: Partial<InlayLauncher> = {}) {
  const platform = testPlatform();
  const load = async (overrides: Partial<InlayLauncher> = {}) => {
    const element = document.createElement('inlay-launcher');
    Object.assign(
      element,
      { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' },
      options,
      overrides,
    );
    mount(element);
    await element.updateComplete;
    return { element, user: new User(element) };
  };
  return { platform, load };
}

const bubbleOf = (element: Element) => deepAll(element, '.bubble')[0];

describe('inlay-launcher across page loads', () => {
  it('opens again on the next page, without moving focus or scrolling', async () => {
    const { load } = setup();
    const first = await load();
    first.element.open();
    await first.element.updateComplete;
    first.element.remove();
    const scrolled = window.scrollY;

    const { element, user } = await load();
    await user.sees('Hello kim');

    expect(element.opened).to.equal(true);
    expect(document.activeElement?.localName).to.equal('body');
    expect(window.scrollY).to.equal(scrolled);
  });

  it('stays closed on the next page after it was closed, even if the page sets `opened`', async () => {
    const { load } = setup({ opened: true });
    const first = await load();
    expect(first.element.opened).to.equal(true);
    first.element.close();
    first.element.remove();

    const { element } = await load();

    expect(element.opened).to.equal(false);
  });

  it('keeps the unread count until reset() is called', async () => {
    const { platform, load } = setup();
    const first = await load();
    first.element.open();
    await first.user.sees('Hello kim');
    await first.user.say('Hi');
    await until('the session', () => first.element.chat?.currentSessionId);
    first.element.close();
    await first.element.updateComplete;
    await platform.append(events.running(), events.agent('Done.'), events.idle());
    await until('the badge', () => first.user.buttons('Open chat, 1 unread message')[0]);
    await expectAccessible(first.element);
    first.element.remove();

    const second = await load();
    expect(second.user.buttons('Open chat, 1 unread message')).to.have.length(1);
    second.element.reset();
    second.element.remove();

    const third = await load();
    expect(third.user.buttons('Open chat')).to.have.length(1);
  });

  it('stays closed on the next page with draft-storage="memory"', async () => {
    const { load } = setup({ draftStorage: 'memory' });
    const first = await load();
    first.element.open();
    first.element.remove();

    const { element } = await load();

    expect(element.opened).to.equal(false);
  });

  it('shows its teaser and opens if storage throws', async () => {
    const { getItem, setItem } = Storage.prototype;
    Storage.prototype.getItem = Storage.prototype.setItem = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const { load } = setup({ teaser: 'Need a hand?', teaserDelay: 0 });
    const { element, user } = await load();
    await user.sees('Need a hand?');
    element.open();
    await user.sees('Hello kim');

    expect(element.opened).to.equal(true);
    Object.assign(Storage.prototype, { getItem, setItem });
  });

  it('dispatches a cancelable request before it opens or closes, and an event afterwards', async () => {
    const { load } = setup();
    const { element } = await load();
    const dispatched: string[] = [];
    const names = [
      'inlay-open-request',
      'inlay-open',
      'inlay-close-request',
      'inlay-close',
    ] as const;
    for (const name of names) {
      element.addEventListener(name, () => dispatched.push(name));
    }
    const prevent = (event: Event) => event.preventDefault();
    element.addEventListener('inlay-open-request', prevent);
    element.open();
    expect(element.opened).to.equal(false);

    element.removeEventListener('inlay-open-request', prevent);
    element.open();
    element.close();

    expect(dispatched).to.deep.equal([
      'inlay-open-request',
      'inlay-open-request',
      'inlay-open',
      'inlay-close-request',
      'inlay-close',
    ]);
  });

  it('deletes drafts of the previous page if it is reset before it is opened', async () => {
    const { platform, load } = setup();
    const key = `inlay:texts:${platform.baseUrl}`;
    sessionStorage.setItem(key, JSON.stringify({ agent: { drafts: { '': 'private' } } }));

    const { element } = await load();
    element.reset();

    expect(sessionStorage.getItem(key)).to.equal(null);
  });
});

describe('teaser of inlay-launcher', () => {
  const teaser = 'Questions about an order?';

  it('is shown once per visit, in an existing live region', async () => {
    const { load } = setup({ teaser, teaserDelay: 0 });
    const first = await load();
    const [region] = deepAll(first.element, '[role=status]');
    expect(region?.textContent?.trim()).to.equal('');
    await first.user.sees(teaser);
    expect(region?.textContent).to.contain(teaser);
    finishAnimations(first.element);
    await expectAccessible(first.element);
    expect(document.activeElement?.localName).to.equal('body');
    first.element.remove();

    const { user } = await load();
    await nextFrame();
    await nextFrame();
    expect(user.text).not.to.contain(teaser);
  });

  it('opens the panel when it is clicked, and disappears', async () => {
    const { load } = setup({ teaser, teaserDelay: 0 });
    const { element, user } = await load();

    await user.click(teaser);

    expect(element.opened).to.equal(true);
    await user.seesNo(teaser);
    await until('the focus', () => deepAll(element, 'textarea')[0]?.matches(':focus'));
    await sendKeys({ press: 'Escape' });
    await until('the bubble', () => bubbleOf(element)?.matches(':focus'));
  });

  it('can be dismissed by its button and by Escape', async () => {
    const { load } = setup({ teaser, teaserDelay: 0 });
    const { element, user } = await load();
    await user.sees(teaser);
    await user.click('Dismiss');
    await user.seesNo(teaser);
    expect(element.opened).to.equal(false);

    element.showTeaser('Something new');
    await user.sees('Something new');
    bubbleOf(element)?.focus();
    await sendKeys({ press: 'Escape' });
    await user.seesNo('Something new');
  });

  it('is not shown if the panel is open or was closed before', async () => {
    const { load } = setup({ teaser, teaserDelay: 0 });
    const first = await load({ teaser: '' });
    first.element.open();
    await first.element.updateComplete;
    first.element.teaser = teaser;
    first.element.showTeaser();
    await nextFrame();
    expect(first.user.text).not.to.contain(teaser);
    first.element.close();
    await first.element.updateComplete;
    first.element.remove();

    const { user } = await load();
    await nextFrame();
    await nextFrame();
    expect(user.text).not.to.contain(teaser);
  });
});
