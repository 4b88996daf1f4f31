import '../../define-all.ts';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { testPlatform } from '../testing/platform.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayLauncher } from './launcher.ts';

const { innerWidth, innerHeight } = window;
let address = '';

async function setup(options: Partial<InlayLauncher> = {}) {
  const { baseUrl } = testPlatform();
  const element = document.createElement('inlay-launcher');
  Object.assign(element, { baseUrl, getToken: () => 'et_kim_1' }, options);
  mount(element);
  await element.updateComplete;
  return { element, user: new User(element) };
}

const panelOf = (element: Element) => deepAll<HTMLDialogElement>(element, 'dialog')[0];

/** Resolves when the browser has navigated back or forward. */
const historyNavigated = () =>
  new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));

/** Whether the launcher added the current history entry. */
const isOwnEntry = () => 'inlay' in (history.state ?? {});

/** Simulates an on-screen keyboard: it covers the lower part of the window and may shift the view. */
function raiseKeyboard(height: number, offsetTop: number) {
  const viewport = window.visualViewport as VisualViewport;
  Object.defineProperties(viewport, {
    height: { configurable: true, value: height },
    offsetTop: { configurable: true, value: offsetTop },
  });
  viewport.dispatchEvent(new Event('resize'));
  return () => {
    Reflect.deleteProperty(viewport, 'height');
    Reflect.deleteProperty(viewport, 'offsetTop');
    viewport.dispatchEvent(new Event('resize'));
  };
}

describe('inlay-launcher on a phone', () => {
  before(() => {
    address = location.href;
  });
  beforeEach(() => setViewport({ width: 390, height: 700 }));
  afterEach(async () => {
    // A page can't remove its history entries, and they must not affect the next test.
    history.replaceState(null, '', address);
    await setViewport({ width: innerWidth, height: innerHeight });
  });

  it('slides in from below, opaque', async () => {
    const { element } = await setup();
    element.show();
    await element.updateComplete;
    const panel = panelOf(element) as HTMLDialogElement;
    const [arrival] = panel.getAnimations();
    arrival?.pause();
    if (arrival) arrival.currentTime = 0;

    expect(panel.getBoundingClientRect().top).to.equal(window.innerHeight);
    expect(getComputedStyle(panel).opacity).to.equal('1');

    // The moving panel has straight corners, and no focus ring at its top.
    if (arrival) arrival.currentTime = 168;
    panel.focus();
    const { clipPath, outlineStyle } = getComputedStyle(panel);
    expect(clipPath).to.contain('-64px');
    expect(outlineStyle).to.equal('none');
  });

  it('covers the page, and locks scrolling without a change of the page’s width', async () => {
    const { element, user } = await setup();
    const page = mount(document.createElement('div'));
    page.style.cssText = 'block-size: 3000px; inline-size: 100%';
    const before = page.getBoundingClientRect().width;
    element.show();
    await user.sees('Hello kim');

    expect(panelOf(element)?.matches(':modal')).to.equal(true);
    expect(panelOf(element)?.offsetWidth).to.equal(document.documentElement.clientWidth);
    expect(document.documentElement.style.overflow).to.equal('hidden');
    expect(page.getBoundingClientRect().width).to.equal(before);

    element.hide();
    await element.updateComplete;
    expect(document.documentElement.style.overflow).to.equal('');
  });

  it('shrinks while an on-screen keyboard is open, and fills the window again afterwards', async () => {
    const { element, user } = await setup();
    element.show();
    await user.sees('Hello kim');
    const scrolled = window.scrollY;

    const lower = raiseKeyboard(380, 60);
    await element.updateComplete;
    for (const animation of panelOf(element)?.getAnimations() ?? []) animation.finish();
    const box = panelOf(element)?.getBoundingClientRect();
    expect([box?.top, box?.height]).to.deep.equal([60, 380]);
    expect(user.field.getBoundingClientRect().bottom).to.be.at.most(440);

    lower();
    await element.updateComplete;
    expect(panelOf(element)?.getBoundingClientRect().height).to.equal(700);
    expect(window.scrollY).to.equal(scrolled);
  });

  it('ignores a viewport offset without a keyboard, which iOS 26 reports', async () => {
    const { element } = await setup();
    element.show();
    await element.updateComplete;

    const end = raiseKeyboard(700, 24);
    await element.updateComplete;
    for (const animation of panelOf(element)?.getAnimations() ?? []) animation.finish();

    expect(panelOf(element)?.getBoundingClientRect().top).to.equal(0);
    end();
  });

  it('is closed by the back button, which does not leave the page', async () => {
    history.replaceState({ route: 7 }, '');
    const { element, user } = await setup();
    element.show();
    await user.sees('Hello kim');
    expect(history.state).to.include({ route: 7 });
    expect(isOwnEntry()).to.equal(true);

    history.back();
    await historyNavigated();

    expect(element.open).to.equal(false);
    expect(history.state).to.deep.equal({ route: 7 });
    expect(location.href).to.equal(address);
  });

  it('removes its history entry when close() is called, without a popstate event for the page', async () => {
    const { element } = await setup();
    let popstates = 0;
    const count = () => {
      popstates += 1;
    };
    window.addEventListener('popstate', count);
    element.show();
    await element.updateComplete;
    expect(isOwnEntry()).to.equal(true);

    element.hide();
    await until('the previous history entry', () => !isOwnEntry());

    expect(popstates).to.equal(0);
    window.removeEventListener('popstate', count);
  });

  it('never goes back from a history entry of the page’s router', async () => {
    const { element } = await setup();
    element.show();
    await element.updateComplete;

    element.hide();
    history.pushState({ route: 'cart' }, '');
    await element.updateComplete;
    await new Promise((resolve) => setTimeout(resolve));
    await nextFrame();
    await nextFrame();

    expect(history.state).to.deep.equal({ route: 'cart' });
  });

  it('adds a single history entry if it is opened and closed repeatedly', async () => {
    const { element } = await setup();
    const before = history.length;
    element.show();
    await element.updateComplete;
    const open = history.length;
    for (let turn = 0; turn < 3; turn += 1) {
      element.hide();
      await element.updateComplete;
      element.show();
      await element.updateComplete;
    }
    expect(isOwnEntry()).to.equal(true);
    expect(history.length).to.equal(open);
    expect(open).to.be.at.most(before + 1);

    element.hide();
    await until('the previous history entry', () => !isOwnEntry());
  });

  it('adds no history entry if the panel does not cover the page', async () => {
    await setViewport({ width: 900, height: 700 });
    const { element } = await setup();
    element.show();
    await element.updateComplete;

    expect(isOwnEntry()).to.equal(false);
  });

  it('stays open after the back button if the page prevents inlay-close-request', async () => {
    const { element, user } = await setup();
    element.show();
    await user.sees('Hello kim');
    element.addEventListener('inlay-close-request', (event) => event.preventDefault(), {
      once: true,
    });

    history.back();
    await historyNavigated();
    await until('a history entry of the launcher', isOwnEntry);
    expect(element.open).to.equal(true);
    expect(panelOf(element)?.matches(':modal')).to.equal(true);

    element.hide();
    await until('the previous history entry', () => !isOwnEntry());
  });

  it('is closed by Escape, and returns focus to the button of the page that opened it', async () => {
    const { element, user } = await setup({ noBubble: true });
    const pageButton = mount(document.createElement('button'));
    pageButton.textContent = 'Ask us';
    pageButton.addEventListener('click', () => element.show());
    pageButton.focus();
    pageButton.click();
    await user.sees('Hello kim');
    await until('the focus', () => user.field.matches(':focus'));

    await sendKeys({ press: 'Escape' });

    await until('the page’s button', () => document.activeElement === pageButton);
    expect(element.open).to.equal(false);
    await until('the previous history entry', () => !isOwnEntry());
  });

  it('unlocks scrolling when it is removed', async () => {
    const { element } = await setup();
    element.show();
    await element.updateComplete;

    element.remove();

    expect(document.documentElement.style.overflow).to.equal('');
    await until('the previous history entry', () => !isOwnEntry());
  });
});
