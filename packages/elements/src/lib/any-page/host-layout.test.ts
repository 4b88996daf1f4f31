import '../../define-all.ts';
import { setViewport } from '@web/test-runner-commands';
import { afterwards, box, chatIn, launcherIn, place } from '../testing/any-page.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, settle, until } from '../testing/user.ts';

const { innerWidth: width, innerHeight: height } = window;

/** What is wider than the chat, and would be cut off or make the page scroll to the side. */
function tooWide(chat: Element): string[] {
  const edge = chat.getBoundingClientRect();
  const scrollers = new Set(deepAll(chat, 'pre, .table, [part=table], [role=region]'));
  return deepAll(chat, '.root *')
    .filter((each) => ![...scrollers].some((scroller) => scroller.contains(each)))
    .filter(
      (each) =>
        !each.closest('.visually-hidden') && getComputedStyle(each).visibility === 'visible',
    )
    .filter((each) => {
      const { left, right, width: own } = each.getBoundingClientRect();
      return own > 1 && (left < edge.left - 1 || right > edge.right + 1);
    })
    .map((each) => `${each.localName}.${each.className}`);
}

describe('a chat in a page with zoom', () => {
  for (const zoom of ['1.5', '0.8', '2']) {
    it(`fits its box at ${zoom}`, async () => {
      document.documentElement.style.setProperty('zoom', zoom);
      afterwards(() => document.documentElement.style.removeProperty('zoom'));

      const { chat, user } = await chatIn();

      expect(tooWide(chat)).to.deep.equal([]);
      expect(user.field.getBoundingClientRect().bottom).to.be.at.most(
        chat.getBoundingClientRect().bottom,
      );
    });
  }
});

describe('a small window', () => {
  beforeEach(() => setViewport({ width: 320, height: 480 }));
  after(() => setViewport({ width, height }));

  it('of 320 pixels cuts nothing off in a chat, nor does the page scroll to the side', async () => {
    const parent = mount(document.createElement('div'));
    parent.style.height = '440px';

    const { chat } = await chatIn(parent);

    expect(tooWide(chat)).to.deep.equal([]);
    expect(document.documentElement.scrollWidth).to.be.at.most(320);
  });

  it('is filled by the panel, whose field and button to close can be reached', async () => {
    const { launcher, user } = await launcherIn(mount(document.createElement('div')));
    launcher.open();
    await user.sees('Hello kim');
    settle(launcher);

    expect(place(deepAll(launcher, 'dialog')[0])).to.deep.equal({
      left: 0,
      top: 0,
      right: 320,
      bottom: 480,
    });
    const close = user.buttons('Close chat').map((button) => place(button));
    expect(close.some(({ left, right, top }) => left >= 0 && right <= 320 && top >= 0)).to.equal(
      true,
    );
    expect(user.field.getBoundingClientRect().bottom).to.be.at.most(480);
  });
});

describe('a launcher is placed by the window', function () {
  this.timeout(30_000);
  const ancestors = {
    'that is transformed': 'transform: rotate(3deg)',
    'that is moved by itself': 'translate: 30px 10px',
    'with perspective': 'perspective: 400px',
    'that is filtered': 'filter: grayscale(1)',
    'with a filter for what is behind': 'backdrop-filter: blur(2px)',
    'that contains its paint': 'contain: paint',
    'that contains its layout': 'contain: layout',
    'that is drawn when it is near': 'content-visibility: auto',
    'that announces a change': 'will-change: transform',
  };
  for (const [name, css] of Object.entries(ancestors)) {
    it(`in an ancestor ${name}`, async () => {
      const parent = mount(document.createElement('div'));
      parent.style.cssText = `${css}; width: 200px; height: 100px; overflow: hidden`;

      const { launcher } = await launcherIn(parent);
      const [bubble] = deepAll(launcher, '.bubble');

      // What is drawn only when it is near is drawn with a later frame.
      await until(
        () => `the bubble in its corner, not at ${JSON.stringify(place(bubble))}`,
        () => {
          const { right, bottom } = place(bubble);
          const gaps = [document.documentElement.clientWidth - right, window.innerHeight - bottom];
          return gaps.every((gap) => gap === 20);
        },
      );
    });
  }

  it('inside a modal dialog, where it can be pressed', async () => {
    const dialog = mount(document.createElement('dialog'));
    dialog.showModal();
    const { launcher, user } = await launcherIn(dialog);
    const [bubble] = deepAll<HTMLButtonElement>(launcher, '.bubble');
    const { right, bottom } = place(bubble);
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

describe('a chat', () => {
  it('is used inside a modal dialog, which Escape still closes', async () => {
    const dialog = mount(document.createElement('dialog'));
    dialog.style.inlineSize = '480px';
    dialog.showModal();
    const { user, platform } = await chatIn(dialog);
    user.field.focus();
    await user.say('From the dialog');
    await user.sees('From the dialog');

    expect(platform.requests().some(({ name }) => name.startsWith('POST'))).to.equal(true);
    const heard: string[] = [];
    dialog.addEventListener('keydown', ({ key }) => heard.push(key));
    user.press('Escape');
    expect(heard).to.deep.equal(['Escape']);
    dialog.close();
  });

  it('is used inside a popover', async () => {
    const popover = mount(document.createElement('div'));
    popover.style.cssText = 'width: 480px; height: 500px';
    popover.popover = 'manual';
    popover.showPopover();
    const { chat, user } = await chatIn(popover);
    user.type('From the popover');

    expect(user.field.value).to.equal('From the popover');
    expect(chat.getBoundingClientRect().height).to.be.closeTo(500, 40);
    popover.hidePopover();
  });

  it('is used inside another shadow tree, and knows its own focus', async () => {
    const root = box().attachShadow({ mode: 'open' });
    const inner = root.appendChild(document.createElement('div'));
    inner.style.height = '600px';
    const { chat, user } = await chatIn(inner);

    chat.focusComposer();

    expect(root.activeElement).to.equal(chat);
    expect(user.field.matches(':focus')).to.equal(true);
  });

  it('works in a document in quirks mode, where it looks the same', async () => {
    const frame = mount(document.createElement('iframe'));
    frame.style.cssText = 'width: 600px; height: 700px; border: 0';
    const here = frame.contentDocument as Document;
    here.open();
    here.write('<body></body>');
    here.close();
    expect(here.compatMode).to.equal('BackCompat');
    const script = here.createElement('script');
    script.type = 'module';
    script.src = new URL('../../define.ts', import.meta.url).href;
    here.head.append(script);
    const chat = here.createElement('inlay-chat');
    chat.setAttribute('style', 'height: 600px');
    here.body.append(chat);
    await until('the chat awake', () => chat.matches(':defined'));
    // Without a token there is a sentence for developers, in a chat that has its size.
    await until('the words', () => chat.shadowRoot?.textContent?.includes('base-url'));

    expect(chat.getBoundingClientRect().height).to.equal(600);
    const root = chat.shadowRoot?.querySelector('.root') as HTMLElement;
    expect(root.getBoundingClientRect().height).to.equal(600);
    expect(getComputedStyle(root).fontSize).to.equal('15px');
  });
});
