import '../../define-all.ts';
import { setViewport } from '@web/test-runner-commands';
import { expect, mount } from '../testing/fixture.ts';
import { boundsOf, mountBox, mountChat, mountLauncher, onTestEnd } from '../testing/host-page.ts';
import { deepAll, finishAnimations, until } from '../testing/user.ts';

const { innerWidth: width, innerHeight: height } = window;

/** Visible elements outside scroll containers that extend beyond the sides of the chat. */
function overflowingElements(chat: Element): string[] {
  const edge = chat.getBoundingClientRect();
  const scrollers = new Set(deepAll(chat, 'pre, .table, [part=table], [role=region]'));
  return deepAll(chat, '.root *')
    .filter((each) => ![...scrollers].some((scroller) => scroller.contains(each)))
    .filter(
      (each) =>
        !each.closest('.visually-hidden') && getComputedStyle(each).visibility === 'visible',
    )
    .filter((each) => {
      const { left, right, width: elementWidth } = each.getBoundingClientRect();
      return elementWidth > 1 && (left < edge.left - 1 || right > edge.right + 1);
    })
    .map((each) => `${each.localName}.${each.className}`);
}

describe('inlay-chat in a page with zoom', () => {
  for (const zoom of ['1.5', '0.8', '2']) {
    it(`fits its box at a zoom of ${zoom}`, async () => {
      document.documentElement.style.setProperty('zoom', zoom);
      onTestEnd(() => document.documentElement.style.removeProperty('zoom'));

      const { chat, user } = await mountChat();

      expect(overflowingElements(chat)).to.deep.equal([]);
      expect(user.field.getBoundingClientRect().bottom).to.be.at.most(
        chat.getBoundingClientRect().bottom,
      );
    });
  }
});

describe('in a window of 320 × 480 px,', () => {
  beforeEach(() => setViewport({ width: 320, height: 480 }));
  after(() => setViewport({ width, height }));

  it('no element extends beyond the sides of a chat, and the page does not scroll horizontally', async () => {
    const parent = mount(document.createElement('div'));
    parent.style.height = '440px';

    const { chat } = await mountChat(parent);

    expect(overflowingElements(chat)).to.deep.equal([]);
    expect(document.documentElement.scrollWidth).to.be.at.most(320);
  });

  it('the panel of a launcher fills the window, and its text field and close button are visible', async () => {
    const { launcher, user } = await mountLauncher(mount(document.createElement('div')));
    launcher.show();
    await user.sees('Hello kim');
    finishAnimations(launcher);

    expect(boundsOf(deepAll(launcher, 'dialog')[0])).to.deep.equal({
      left: 0,
      top: 0,
      right: 320,
      bottom: 480,
    });
    const close = user.buttons('Close chat').map((button) => boundsOf(button));
    expect(close.some(({ left, right, top }) => left >= 0 && right <= 320 && top >= 0)).to.equal(
      true,
    );
    expect(user.field.getBoundingClientRect().bottom).to.be.at.most(480);
  });
});

describe('inlay-launcher is positioned relative to the window', () => {
  const ancestors = [
    'transform: rotate(3deg)',
    'translate: 30px 10px',
    'perspective: 400px',
    'filter: grayscale(1)',
    'backdrop-filter: blur(2px)',
    'contain: paint',
    'contain: layout',
    'content-visibility: auto',
    'will-change: transform',
  ];
  for (const css of ancestors) {
    it(`in an ancestor with ${css}`, async () => {
      const parent = mount(document.createElement('div'));
      parent.style.cssText = `${css}; width: 200px; height: 100px; overflow: hidden`;

      const { launcher } = await mountLauncher(parent);
      const [bubble] = deepAll(launcher, '.bubble');

      // With `content-visibility: auto`, the bubble is rendered in a later frame.
      await until(
        () => `the bubble in its corner, not at ${JSON.stringify(boundsOf(bubble))}`,
        () => {
          const { right, bottom } = boundsOf(bubble);
          const gaps = [document.documentElement.clientWidth - right, window.innerHeight - bottom];
          return gaps.every((gap) => gap === 20);
        },
      );
    });
  }

  it('inside a modal dialog, where it can be clicked', async () => {
    const dialog = mount(document.createElement('dialog'));
    dialog.showModal();
    const { launcher, user } = await mountLauncher(dialog);
    const [bubble] = deepAll<HTMLButtonElement>(launcher, '.bubble');
    const { right, bottom } = boundsOf(bubble);
    expect([right, bottom]).to.deep.equal([
      document.documentElement.clientWidth - 20,
      window.innerHeight - 20,
    ]);

    bubble?.click();
    await user.sees('Hello kim');
    await until('the focus in the panel', () => user.field.matches(':focus'));
    dialog.close();
  });
});

describe('inlay-chat', () => {
  it('sends messages inside a modal dialog, which receives the Escape key', async () => {
    const dialog = mount(document.createElement('dialog'));
    dialog.style.inlineSize = '480px';
    dialog.showModal();
    const { user, platform } = await mountChat(dialog);
    user.field.focus();
    await user.say('From the dialog');
    await user.sees('From the dialog');

    expect(platform.requests().some(({ name }) => name.startsWith('POST'))).to.equal(true);
    const keys: string[] = [];
    dialog.addEventListener('keydown', ({ key }) => keys.push(key));
    user.press('Escape');
    expect(keys).to.deep.equal(['Escape']);
    dialog.close();
  });

  it('accepts text and fills the height inside a popover', async () => {
    const popover = mount(document.createElement('div'));
    popover.style.cssText = 'width: 480px; height: 500px';
    popover.popover = 'manual';
    popover.showPopover();
    const { chat, user } = await mountChat(popover);
    user.type('From the popover');

    expect(user.field.value).to.equal('From the popover');
    expect(chat.getBoundingClientRect().height).to.be.closeTo(500, 40);
    popover.hidePopover();
  });

  it('can be focused inside another shadow tree', async () => {
    const root = mountBox().attachShadow({ mode: 'open' });
    const inner = root.appendChild(document.createElement('div'));
    inner.style.height = '600px';
    const { chat, user } = await mountChat(inner);

    chat.focusComposer();

    expect(root.activeElement).to.equal(chat);
    expect(user.field.matches(':focus')).to.equal(true);
  });

  it('has its usual size and font size in a document in quirks mode', async () => {
    const frame = mount(document.createElement('iframe'));
    frame.style.cssText = 'width: 600px; height: 700px; border: 0';
    const quirky = frame.contentDocument as Document;
    quirky.open();
    quirky.write('<body></body>');
    quirky.close();
    expect(quirky.compatMode).to.equal('BackCompat');
    const script = quirky.createElement('script');
    script.type = 'module';
    script.src = new URL('../../define.ts', import.meta.url).href;
    quirky.head.append(script);
    const chat = quirky.createElement('inlay-chat');
    chat.setAttribute('style', 'height: 600px');
    quirky.body.append(chat);
    await until('the chat to be defined', () => chat.matches(':defined'));
    // Without a base URL, the chat shows an error for developers.
    await until('the error', () => chat.shadowRoot?.textContent?.includes('base-url'));

    expect(chat.getBoundingClientRect().height).to.equal(600);
    const root = chat.shadowRoot?.querySelector('.root') as HTMLElement;
    expect(root.getBoundingClientRect().height).to.equal(600);
    expect(getComputedStyle(root).fontSize).to.equal('15px');
  });
});
