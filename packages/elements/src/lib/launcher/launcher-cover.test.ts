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

/** Resolves when the browser has gone back or forward. */
const travelled = () =>
  new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));

/** Whether the current entry of the history is one of ours. */
const marked = () => 'inlay' in (history.state ?? {});

/** As a keyboard does: it takes the lower part of the window, and may push what is seen up. */
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
    // What a test pushed stays on the stack; none of it may count for the next.
    history.replaceState(null, '', address);
    await setViewport({ width: innerWidth, height: innerHeight });
  });

  it('covers the page, and holds it still without moving it', async () => {
    const { element, user } = await setup();
    const page = mount(document.createElement('div'));
    page.style.cssText = 'block-size: 3000px; inline-size: 100%';
    const before = page.getBoundingClientRect().width;
    element.open();
    await user.sees('Hello kim');

    expect(panelOf(element)?.matches(':modal')).to.equal(true);
    expect(panelOf(element)?.offsetWidth).to.equal(document.documentElement.clientWidth);
    expect(document.documentElement.style.overflow).to.equal('hidden');
    expect(page.getBoundingClientRect().width).to.equal(before);

    element.close();
    await element.updateComplete;
    expect(document.documentElement.style.overflow).to.equal('');
  });

  it('keeps above the keyboard, and fills the window again when it is gone', async () => {
    const { element, user } = await setup();
    element.open();
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

  it('stays where it is when a shift is told of without a keyboard, as iOS 26 does', async () => {
    const { element } = await setup();
    element.open();
    await element.updateComplete;

    const end = raiseKeyboard(700, 24);
    await element.updateComplete;
    for (const animation of panelOf(element)?.getAnimations() ?? []) animation.finish();

    expect(panelOf(element)?.getBoundingClientRect().top).to.equal(0);
    end();
  });

  it('is closed by the back button, which leaves the page alone', async () => {
    history.replaceState({ route: 7 }, '');
    const { element, user } = await setup();
    element.open();
    await user.sees('Hello kim');
    expect(history.state).to.include({ route: 7 });
    expect(marked()).to.equal(true);

    history.back();
    await travelled();

    expect(element.opened).to.equal(false);
    expect(history.state).to.deep.equal({ route: 7 });
    expect(location.href).to.equal(address);
  });

  it('leaves no entry of the history behind when it is closed otherwise, unheard by the page', async () => {
    const { element } = await setup();
    let heard = 0;
    const count = () => {
      heard += 1;
    };
    window.addEventListener('popstate', count);
    element.open();
    await element.updateComplete;
    expect(marked()).to.equal(true);

    element.close();
    await until('the entry before', () => !marked());

    expect(heard).to.equal(0);
    window.removeEventListener('popstate', count);
  });

  it('never goes back from an entry of the page’s own router', async () => {
    const { element } = await setup();
    element.open();
    await element.updateComplete;

    element.close();
    history.pushState({ route: 'cart' }, '');
    await element.updateComplete;
    await new Promise((resolve) => setTimeout(resolve));
    await nextFrame();
    await nextFrame();

    expect(history.state).to.deep.equal({ route: 'cart' });
  });

  it('opens and closes as fast as one likes, with one entry', async () => {
    const { element } = await setup();
    const before = history.length;
    element.open();
    await element.updateComplete;
    const open = history.length;
    for (let turn = 0; turn < 3; turn += 1) {
      element.close();
      await element.updateComplete;
      element.open();
      await element.updateComplete;
    }
    expect(marked()).to.equal(true);
    expect(history.length).to.equal(open);
    expect(open).to.be.at.most(before + 1);

    element.close();
    await until('the entry before', () => !marked());
  });

  it('makes no entry beside the page', async () => {
    await setViewport({ width: 900, height: 700 });
    const { element } = await setup();
    element.open();
    await element.updateComplete;

    expect(marked()).to.equal(false);
  });

  it('stays open where the page prevents it from closing, also against the back button', async () => {
    const { element, user } = await setup();
    element.open();
    await user.sees('Hello kim');
    element.addEventListener('inlay-close-request', (event) => event.preventDefault(), {
      once: true,
    });

    history.back();
    await travelled();
    await until('an entry of its own', marked);
    expect(element.opened).to.equal(true);
    expect(panelOf(element)?.matches(':modal')).to.equal(true);

    element.close();
    await until('the entry before', () => !marked());
  });

  it('is closed by Escape, and gives the focus back to the page’s button that opened it', async () => {
    const { element, user } = await setup({ noBubble: true });
    const own = mount(document.createElement('button'));
    own.textContent = 'Ask us';
    own.addEventListener('click', () => element.open());
    own.focus();
    own.click();
    await user.sees('Hello kim');
    await until('the focus', () => user.field.matches(':focus'));

    await sendKeys({ press: 'Escape' });

    await until('the page’s button', () => document.activeElement === own);
    expect(element.opened).to.equal(false);
    await until('the entry before', () => !marked());
  });

  it('lets go of the page when it is taken out of it', async () => {
    const { element } = await setup();
    element.open();
    await element.updateComplete;

    element.remove();

    expect(document.documentElement.style.overflow).to.equal('');
    await until('the entry before', () => !marked());
  });
});
