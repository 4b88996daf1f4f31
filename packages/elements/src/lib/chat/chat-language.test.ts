import '../../define-all.ts';
import { loadedStringsOf, loadLanguage } from '../i18n/languages.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

function setup(options: Partial<InlayChat> = {}, parent: Element | ShadowRoot = document.body) {
  const platform = testPlatform({ greeting: '' });
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' }, options);
  chat.style.height = '600px';
  mount(chat);
  if (parent !== document.body) parent.append(chat);
  const root = () => chat.shadowRoot?.querySelector<HTMLElement>('.root') as HTMLElement;
  return { chat, root, user: new User(chat), platform };
}

/** Adds an element with these attributes to the page. */
function wrap(attributes: Record<string, string>): HTMLElement {
  const element = mount(document.createElement('div'));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Sets the languages of the browser until the test ends. */
function setBrowserLanguages(...languages: string[]) {
  Object.defineProperty(navigator, 'languages', { configurable: true, value: languages });
}

describe('language of inlay-chat', () => {
  const pageLanguage = document.documentElement.lang;

  afterEach(() => {
    Reflect.deleteProperty(navigator, 'languages');
    document.documentElement.lang = pageLanguage;
  });

  it('is the `language` option, even if a lang attribute says otherwise', async () => {
    setBrowserLanguages('es');
    const { user, root } = setup({ language: 'de-CH' }, wrap({ lang: 'fr' }));

    await user.sees('Wie kann ich helfen?');

    expect(root().lang).to.equal('de-CH');
  });

  it('is the language of the nearest ancestor with a lang attribute, across shadow boundaries', async () => {
    setBrowserLanguages('es');
    const tree = wrap({ lang: 'fr' }).attachShadow({ mode: 'open' });
    const { user } = setup({}, tree);

    await user.sees('Comment puis-je vous aider');
  });

  it('is the first supported language of the browser if the page has none', async () => {
    document.documentElement.removeAttribute('lang');
    setBrowserLanguages('sv', 'pt-PT', 'de');
    const { user } = setup();

    await user.sees('Como posso ajudar?');
  });

  it('is English if the language of the page is not supported', async () => {
    setBrowserLanguages('de');
    const { user, root } = setup({}, wrap({ lang: 'sv' }));

    await user.sees('How can I help?');

    expect(root().lang).to.equal('en');
  });

  it('is loaded before any text is rendered', async () => {
    expect(loadedStringsOf('hi')).to.equal(undefined);
    const { chat, user } = setup({ language: 'hi' });
    const renderedTexts: string[] = [];
    const observer = new MutationObserver(() => renderedTexts.push(user.text));
    observer.observe(chat.shadowRoot as ShadowRoot, { childList: true, subtree: true });

    await chat.updateComplete;
    await user.sees('आपकी कैसे मदद की जा सकती है?');
    observer.disconnect();

    expect(renderedTexts).not.to.deep.equal([]);
    expect(renderedTexts.filter((text) => text.includes('How can I help'))).to.deep.equal([]);
  });

  it('can change without loss of the draft', async () => {
    const { chat, user } = setup({ language: 'en' });
    await user.sees('How can I help?');
    await user.type('Hallo');

    chat.language = 'de';
    await user.sees('Wie kann ich helfen?');

    expect(user.field.value).to.equal('Hallo');
    chat.configure({ language: 'en' });
    await user.sees('How can I help?');
  });

  it('changes with the lang attribute of an ancestor', async () => {
    const parent = wrap({ lang: 'de' });
    const { user } = setup({}, parent);
    await user.sees('Wie kann ich helfen?');

    parent.lang = 'fr';

    await user.sees('Comment puis-je vous aider');
  });

  it('can be combined with custom strings', async () => {
    const { chat, user } = setup({ language: 'de', strings: { greeting: 'Moin!' } });
    await user.sees('Moin!');
    await until('the button', () => user.buttons('Senden')[0]);

    chat.strings = null;

    await user.sees('Wie kann ich helfen?');
  });

  it('applies to accessible names', async () => {
    const { user } = setup({ language: 'de' });

    await user.sees('Wie kann ich helfen?');

    expect(user.buttons('Senden').length).to.equal(1);
    expect(user.field.ariaLabel ?? user.field.labels?.[0]?.textContent).to.contain('Nachricht');
  });

  it('sets the direction to right-to-left for Arabic, and passes the accessibility audit', async () => {
    const { chat, root, user, platform } = setup({ language: 'ar' });
    await user.sees('كيف يمكنني المساعدة؟');
    await user.say('أين طلبي؟');
    await until('the session', () => chat.currentSessionId);
    await platform.append(
      events.running(),
      events.agent('```js\nlet a = 1;\n```\n\nتم.'),
      events.idle(),
    );
    await user.sees('تم.');

    expect(getComputedStyle(root()).direction).to.equal('rtl');
    await expectAccessible(chat);
  });

  it('does not override a dir attribute on the element', async () => {
    const { chat, root, user } = setup({ language: 'he' });
    await user.sees('איך אפשר לעזור?');
    expect(getComputedStyle(root()).direction).to.equal('rtl');

    chat.dir = 'ltr';

    await until('the direction', () => getComputedStyle(root()).direction === 'ltr');
  });

  it('sets the direction from the locale of custom strings', async () => {
    const { root, user } = setup({ strings: { locale: 'fa', greeting: 'سلام' } });

    await user.sees('سلام');

    expect(getComputedStyle(root()).direction).to.equal('rtl');
  });
});

describe('language of inlay-launcher', () => {
  it('applies to the launcher’s button and to the chat', async () => {
    await loadLanguage('fr');
    const platform = testPlatform({ greeting: '' });
    const launcher = document.createElement('inlay-launcher');
    const getToken = () => 'et_kim_1';
    Object.assign(launcher, { baseUrl: platform.baseUrl, getToken, language: 'fr' });
    mount(launcher);
    const user = new User(launcher);
    await until('the bubble', () => user.buttons('Ouvrir le chat')[0]);

    launcher.show();
    await user.sees('Comment puis-je vous aider');
    launcher.language = 'ja';

    await user.sees('どのようなご用件でしょうか？');
    await until('the bubble in Japanese', () => launcher.shadowRoot?.querySelector('[lang=ja]'));
  });
});
