import '../../define-all.ts';
import { contrast } from '../testing/contrast.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import {
  addPageStyle,
  computedStyles,
  mountBox,
  mountChat,
  mountLauncher,
  onTestEnd,
} from '../testing/host-page.ts';
import { events } from '../testing/platform.ts';
import { deepAll, until } from '../testing/user.ts';

/** Excerpts of well-known resets, and other style sheets that could affect a chat. */
const sheets = {
  'Bootstrap’s reboot': `
    :root { --bs-body-font-size: 1rem; font-size: 112% }
    *, ::before, ::after { box-sizing: border-box }
    body { margin: 0; font: 400 16px/1.5 Georgia; color: #212529; background: #fff; text-align: center }
    h1, h2, h3, h4, h5, h6 { margin: 0 0 .5rem; font-weight: 500; line-height: 1.2; color: red }
    p { margin: 0 0 1rem } ol, ul { padding-left: 2rem; margin: 0 0 1rem } b, strong { font-weight: bolder }
    a { color: #0d6efd; text-decoration: underline } pre, code { font: 87.5% Courier; color: #d63384 }
    img, svg { vertical-align: middle } table { caption-side: bottom; border-collapse: collapse }
    th, td { border: 0 solid; padding: 9px } button { border-radius: 0; text-transform: none }
    input, button, select, textarea { margin: 0; font: inherit; line-height: inherit }
    [type=button]:not(:disabled), button:not(:disabled) { cursor: pointer }
    textarea { resize: vertical } [hidden] { display: none !important }`,
  'Tailwind’s preflight': `
    *, ::after, ::before, ::backdrop, ::file-selector-button { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid }
    html, :host { line-height: 1.5; tab-size: 4; font-family: ui-monospace; -webkit-tap-highlight-color: transparent }
    hr { height: 0; color: inherit; border-top-width: 1px } h1, h2, h3, h4, h5, h6 { font-size: inherit; font-weight: inherit }
    a { color: inherit; text-decoration: inherit } code, pre { font-family: Courier; font-size: 1em }
    table { text-indent: 0; border-color: inherit; border-collapse: collapse } ol, ul, menu { list-style: none }
    img, svg, video { display: block; vertical-align: middle } ::placeholder { opacity: 1; color: red }
    button, input, select, textarea { font: inherit; letter-spacing: inherit; color: inherit; border-radius: 0; background-color: transparent; opacity: 1 }
    [hidden]:where(:not([hidden='until-found'])) { display: none !important }`,
  'inherited properties': `
    html { font-size: 62.5% } body { font: italic bold 31px/3 Courier; color: lime; letter-spacing: 5px; word-spacing: 9px;
      text-transform: uppercase; text-align: right; text-indent: 40px; text-shadow: 2px 2px red; white-space: pre; cursor: wait;
      list-style: square; hyphens: auto; quotes: none; tab-size: 1; border-collapse: collapse; caption-side: bottom;
      -webkit-user-select: none; user-select: none; word-break: break-all; line-break: anywhere; font-variant: small-caps;
      font-feature-settings: "smcp"; text-rendering: geometricPrecision; accent-color: red; caret-color: red }`,
  'rules for all elements': `
    * { font-size: 22px; font-weight: 800; font-style: italic; line-height: 3; letter-spacing: 4px; word-spacing: 9px; color: red;
      text-transform: uppercase; text-shadow: 2px 2px red; white-space: pre; cursor: wait; user-select: none }`,
  'rules for class names of the elements': `
    .root, .layer, .body, .conversation, .foot, .bubble, .row, .panel, .corner, .card, dialog, header, section, button, textarea, svg
      { display: none !important; position: static !important; color: red !important }`,
};

describe('styles of the page', () => {
  for (const [name, css] of Object.entries(sheets)) {
    it(`do not affect a chat if they contain ${name}`, async () => {
      const plain = computedStyles((await mountChat()).chat);
      addPageStyle(css);

      const styled = computedStyles((await mountChat()).chat);

      expect(plain.length).to.be.greaterThan(80);
      expect(styled).to.deep.equal(plain);
    });

    it(`do not affect a launcher if they contain ${name}`, async () => {
      const plain = computedStyles(
        (await mountLauncher(mount(document.createElement('div')))).launcher,
      );
      addPageStyle(css);

      const styled = computedStyles(
        (await mountLauncher(mount(document.createElement('div')))).launcher,
      );

      expect(plain.length).to.be.greaterThan(5);
      expect(styled).to.deep.equal(plain);
    });
  }

  it('do not affect the size and the contrast of a chat if they unset all properties', async () => {
    addPageStyle('* { all: unset !important }');
    const { chat, platform, user } = await mountChat();
    for (let turn = 0; turn < 12; turn += 1) {
      await platform.append(events.agent(`Answer ${turn}. ${'More and more. '.repeat(40)}`));
    }
    await user.sees('Answer 11');
    await nextFrame();

    const { height } = chat.getBoundingClientRect();
    expect(height).to.be.within(240, window.innerHeight);
    const root = deepAll(chat, '.root')[0] as HTMLElement;
    const foot = deepAll(chat, '.foot')[0] as HTMLElement;
    expect(root.getBoundingClientRect().bottom).to.be.closeTo(
      chat.getBoundingClientRect().bottom,
      1,
    );
    expect(foot.getBoundingClientRect().bottom).to.be.at.most(
      root.getBoundingClientRect().bottom + 1,
    );
    const { color, backgroundColor } = getComputedStyle(root);
    expect(contrast(color, backgroundColor)).to.be.at.least(4.5);
    user.type('Still here');
    expect(user.field.value).to.equal('Still here');
  });

  it('do not affect the size, the opening and the closing of a launcher if they unset all properties', async () => {
    addPageStyle('* { all: unset !important }');
    const { launcher, user } = await mountLauncher(mount(document.createElement('div')));
    const [bubble] = deepAll<HTMLButtonElement>(launcher, '.bubble');
    expect(Math.round(bubble?.getBoundingClientRect().width ?? 0)).to.equal(56);

    bubble?.click();
    await user.sees('Hello kim');
    expect(deepAll(launcher, 'dialog')[0]?.getBoundingClientRect().width).to.be.greaterThan(300);

    await user.click('Close chat');
    expect(launcher.open).to.equal(false);
  });

  it('can hide a chat with a class, like the attribute `hidden`', async () => {
    addPageStyle('.gone { display: none }');
    const { chat } = await mountChat();
    chat.hidden = true;
    expect(chat.getBoundingClientRect().height).to.equal(0);

    chat.hidden = false;
    chat.className = 'gone';
    expect(chat.getBoundingClientRect().height).to.equal(0);
  });
});

describe('the colour scheme of the page', () => {
  const backgroundOf = (element: Element) => {
    const [root] = deepAll(element, '.root, .bubble');
    return root ? getComputedStyle(root).backgroundColor : '';
  };

  it('applies to a chat, even when the page changes it later', async () => {
    addPageStyle('html { color-scheme: light } html[data-theme=dark] { color-scheme: dark }');
    onTestEnd(() => document.documentElement.removeAttribute('data-theme'));
    const { chat } = await mountChat();
    const light = backgroundOf(chat);

    document.documentElement.dataset.theme = 'dark';

    await until('the dark chat', () => backgroundOf(chat) !== light);
    expect(contrast(backgroundOf(chat), '#fff')).to.be.greaterThan(10);
  });

  it('applies to a launcher and its chat', async () => {
    addPageStyle('html { color-scheme: light } body.dark { color-scheme: dark }');
    onTestEnd(() => document.body.removeAttribute('class'));
    const { launcher, user } = await mountLauncher(mount(document.createElement('div')));
    launcher.show();
    await user.sees('Hello kim');
    const chat = launcher.chat as Element;
    const light = backgroundOf(chat);

    document.body.className = 'dark';

    await until('the dark chat', () => backgroundOf(chat) !== light);
  });

  it('applies to a chat that was created before the page set a colour scheme', async () => {
    const { chat } = await mountChat();
    const root = deepAll(chat, '.root')[0] as HTMLElement;
    expect(root.style.colorScheme).to.equal('light dark');
    addPageStyle('html.themed { color-scheme: dark }');
    onTestEnd(() => document.documentElement.classList.remove('themed'));

    document.documentElement.classList.add('themed');

    await until('the page’s scheme', () => root.style.colorScheme === '');
    expect(getComputedStyle(root).colorScheme).to.equal('dark');
  });

  it('is overridden by the `colorScheme` option of a chat', async () => {
    addPageStyle('html { color-scheme: dark }');
    const { chat } = await mountChat(mountBox(), { colorScheme: 'light' });

    expect(contrast(backgroundOf(chat), '#000')).to.be.greaterThan(10);
  });
});

describe('styles of the elements', () => {
  it('do not lift parts of a chat above content of the page with a z-index', async () => {
    const header = mount(document.createElement('header'));
    header.style.cssText = 'position: fixed; inset: 0; z-index: 1';
    const { chat } = await mountChat();
    const [actions] = deepAll(chat, 'inlay-answer-actions');
    const [action] = actions ? deepAll(actions, '.actions button') : [];
    const { x, y, width, height } = action?.getBoundingClientRect() ?? new DOMRect();

    const top = document.elementFromPoint(x + width / 2, y + height / 2);

    expect(width).to.be.greaterThan(0);
    expect(top).to.equal(header);
  });

  it('do not affect the page', async () => {
    const page = mount(document.createElement('section'));
    // Without a fixed width, a scroll bar that appears would make the section narrower.
    page.style.width = '300px';
    for (const tag of ['button', 'textarea', 'dialog', 'svg', 'h2', 'p', 'ul', 'header'] as const) {
      const element = page.appendChild(document.createElement(tag));
      element.className = 'root bubble panel icon-button button primary';
    }
    const before = computedStyles(page);
    const sheetsBefore = document.styleSheets.length + document.adoptedStyleSheets.length;

    const { launcher, user } = await mountLauncher(mount(document.createElement('div')));
    launcher.show();
    await user.sees('Hello kim');
    await mountChat(mount(document.createElement('div')));

    expect(computedStyles(page)).to.deep.equal(before);
    expect(document.styleSheets.length + document.adoptedStyleSheets.length).to.equal(sheetsBefore);
  });
});
