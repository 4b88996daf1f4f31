import '../../define-all.ts';
import { sendKeys } from '@web/test-runner-commands';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { onTestEnd } from '../testing/host-page.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';
import type { InlayLauncher } from './launcher.ts';
import type { TeaserRules } from './teaser-rules.ts';

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

/** Records the checks of the rules of teasers, in place of a timer. Returns a function that performs them. */
async function recordChecks() {
  // The module would be loaded during the test.
  await import('./teaser-rules.ts');
  const { setInterval } = window;
  const checks: (() => void)[] = [];
  Object.assign(window, { setInterval: (check: () => void) => checks.push(check) });
  onTestEnd(() => Object.assign(window, { setInterval }));
  return async (teasers = 1) => {
    await until('the rules', () => checks.length === teasers);
    for (const check of checks) check();
  };
}

const bubbleOf = (element: Element) => deepAll(element, '.bubble')[0];

describe('inlay-launcher across page loads', () => {
  it('opens again on the next page, without moving focus or scrolling', async () => {
    const { load } = setup();
    const first = await load();
    first.element.show();
    await first.element.updateComplete;
    first.element.remove();
    const scrolled = window.scrollY;

    const { element, user } = await load();
    await user.sees('Hello kim');

    expect(element.open).to.equal(true);
    expect(document.activeElement?.localName).to.equal('body');
    expect(window.scrollY).to.equal(scrolled);
  });

  it('stays closed on the next page after it was closed, even if the page sets `open`', async () => {
    const { load } = setup({ open: true });
    const first = await load();
    expect(first.element.open).to.equal(true);
    first.element.hide();
    first.element.remove();

    const { element } = await load();

    expect(element.open).to.equal(false);
  });

  it('keeps the unread count until reset() is called', async () => {
    const { platform, load } = setup();
    const first = await load();
    first.element.show();
    await first.user.sees('Hello kim');
    await first.user.say('Hi');
    await until('the session', () => first.element.chat?.currentSessionId);
    first.element.hide();
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

  it('has the position that the user chose in another tab, and stays closed there', async () => {
    const { load } = setup();
    const first = await load();
    first.element.show();
    first.element.moveBubble('Up');
    first.element.remove();
    sessionStorage.clear();

    const { element } = await load();

    expect(element.place).to.deep.equal({ side: 'end', up: 0.25 });
    expect(element.open).to.equal(false);
  });

  it('stays closed on the next page with draft-storage="memory"', async () => {
    const { load } = setup({ draftStorage: 'memory' });
    const first = await load();
    first.element.show();
    first.element.remove();

    const { element } = await load();

    expect(element.open).to.equal(false);
  });

  it('shows its teaser and opens if storage throws', async () => {
    const { getItem, setItem } = Storage.prototype;
    Storage.prototype.getItem = Storage.prototype.setItem = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const { load } = setup({ teaser: 'Need a hand?', teaserDelay: 0 });
    const { element, user } = await load();
    await user.sees('Need a hand?');
    element.show();
    await user.sees('Hello kim');

    expect(element.open).to.equal(true);
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
    element.show();
    expect(element.open).to.equal(false);

    element.removeEventListener('inlay-open-request', prevent);
    element.show();
    element.hide();

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

    expect(element.open).to.equal(true);
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
    expect(element.open).to.equal(false);

    element.showTeaser('Something new');
    await user.sees('Something new');
    bubbleOf(element)?.focus();
    await sendKeys({ press: 'Escape' });
    await user.seesNo('Something new');
  });

  it('is not shown if the panel is open or was closed before', async () => {
    const { load } = setup({ teaser, teaserDelay: 0 });
    const first = await load({ teaser: '' });
    first.element.show();
    await first.element.updateComplete;
    first.element.teaser = teaser;
    first.element.showTeaser();
    await nextFrame();
    expect(first.user.text).not.to.contain(teaser);
    first.element.hide();
    await first.element.updateComplete;
    first.element.remove();

    const { user } = await load();
    await nextFrame();
    await nextFrame();
    expect(user.text).not.to.contain(teaser);
  });

  it('is shown when all rules of `showWhen` hold, even after a navigation without a page load', async () => {
    const { load } = setup({ teaser });
    const check = await recordChecks();
    const spacer = document.createElement('div');
    spacer.style.height = '4000px';
    mount(spacer);
    const { pathname } = location;
    onTestEnd(() => history.replaceState(null, '', pathname));
    const showWhen = { path: '/pricing/*', seconds: 0, visits: 1, scrolled: 0.5 };
    const { element, user } = await load({ showWhen });
    await check();
    await nextFrame();
    expect(user.text).not.to.contain(teaser);

    history.replaceState(null, '', '/pricing/teams');
    await check();
    await nextFrame();
    expect(user.text).not.to.contain(teaser);
    window.scrollTo(0, 3500);
    await check();
    await user.sees(teaser);
    element.remove();

    const second = await load({ agent: 'other', showWhen: { visits: 2 } });
    await check(2);
    await nextFrame();
    expect(second.user.text).not.to.contain(teaser);
  });

  it('reports rules of `showWhen` that do not exist or have an invalid value, and ignores them', async () => {
    const { load } = setup({ teaser });
    const warnings: string[] = [];
    const { warn } = console;
    console.warn = (text: string) => warnings.push(text);
    onTestEnd(() => {
      console.warn = warn;
    });

    const { user } = await load({
      showWhen: { pth: '/x', scrolled: 50, seconds: 0 } as TeaserRules,
    });

    await user.sees(teaser);
    expect(warnings).to.deep.equal([
      'showWhen: there is no rule “pth”, so it is ignored. The rules are path, seconds, visits, scrolled.',
      'showWhen: “scrolled” must be a number from 0 to 1, so it is ignored.',
    ]);
  });
});
