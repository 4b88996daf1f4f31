import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { type TestPlatform, testPlatform } from '../testing/platform.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

function setup(platform: TestPlatform, sessionId = '') {
  const chat = document.createElement('inlay-chat');
  const token = 'et_kim_1';
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => token, sessionId });
  return { chat: mount(chat), user: new User(chat) };
}

const fieldOf = (chat: InlayChat) => deepAll<HTMLTextAreaElement>(chat, 'textarea')[0];

/** Resolves to the text field in the first task in which the user can write, even between frames. */
async function waitForField(chat: InlayChat): Promise<HTMLTextAreaElement> {
  for (;;) {
    const field = fieldOf(chat);
    if (field) return field;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const sentMessages = (platform: TestPlatform) =>
  platform.requests().filter(({ name }) => name.startsWith('POST /s'));

describe('inlay-chat at its start', () => {
  it('sends no request before the text field is rendered', async () => {
    const platform = testPlatform();
    const { fetch } = globalThis;
    const early: string[] = [];
    // The test platform restores the original `fetch` after the test.
    globalThis.fetch = (input, init) => {
      if (deepAll(document.body, 'textarea').length === 0) early.push(String(input));
      return fetch(input, init);
    };
    setup(platform);

    await until('a request', () => platform.requests().length > 0);

    expect(early).to.deep.equal([]);
  });

  it('keeps the field in place and shows no message skeleton while a token is pending', async () => {
    const platform = testPlatform();
    const { chat, user } = setup(platform);
    chat.style.inlineSize = '900px';
    chat.style.blockSize = '600px';
    let signIn = (_token: string) => {};
    const token = new Promise<string>((resolve) => {
      signIn = resolve;
    });
    chat.getToken = () => token;
    const field = await waitForField(chat);
    await until('the message list', () => customElements.get('inlay-message-list'));
    await user.sees('Loading');
    const before = field.getBoundingClientRect().y;

    expect(deepAll(chat, '.skeleton i')).to.deep.equal([]);
    signIn('et_kim_1');
    await user.sees('Hello kim');

    expect(field.getBoundingClientRect().y).to.be.closeTo(before, 1);
  });

  it('keeps the text and the focus of the field while the chat connects', async () => {
    const platform = testPlatform();
    const { chat, user } = setup(platform);
    const field = await waitForField(chat);
    field.focus();
    user.type('Where is');

    await user.sees('Hello kim');

    expect(fieldOf(chat)).to.equal(field);
    expect(chat.shadowRoot?.activeElement?.shadowRoot?.activeElement).to.equal(field);
    user.type('Where is my order?');
    user.press('Enter');
    await until('the message', () => sentMessages(platform).length > 0);
    expect(JSON.stringify(platform.requests().at(-1))).to.contain('Where is my order?');
  });

  it('sends a message that the user entered before the chat connected', async () => {
    const platform = testPlatform();
    const { chat, user } = setup(platform);
    (await waitForField(chat)).focus();

    user.type('Where is my order?');
    user.press('Enter');

    await until('the message', () => sentMessages(platform).length > 0);
    await user.sees('Where is my order?');
    expect(fieldOf(chat)?.value).to.equal('');
  });

  it('sends a message that the user submitted before the page set getToken', async () => {
    const platform = testPlatform();
    const chat = mount(document.createElement('inlay-chat'));
    chat.baseUrl = platform.baseUrl;
    const user = new User(chat);
    (await waitForField(chat)).focus();
    user.type('Where is my order?');
    user.press('Enter');
    expect(fieldOf(chat)?.value).to.equal('Where is my order?');
    await user.sees('None of token-url, getToken and publishable-key is set');

    chat.getToken = () => 'et_kim_1';

    await until('the message', () => sentMessages(platform).length > 0);
    expect(JSON.stringify(sentMessages(platform))).to.contain('Where is my order?');
    // The field is rendered again only after the request has started.
    await until('an empty field', () => fieldOf(chat)?.value === '');
  });

  it('sends the prompt of a slash command that the user submitted before the page set getToken', async () => {
    const platform = testPlatform();
    const chat = mount(document.createElement('inlay-chat'));
    chat.configure({
      baseUrl: platform.baseUrl,
      commands: [
        { name: 'trains', description: 'Trains', takesInput: true, prompt: 'Trains to {input}?' },
      ],
    });
    const user = new User(chat);
    (await waitForField(chat)).focus();
    user.type('/trains Madrid');
    user.press('Enter');
    expect(fieldOf(chat)?.value).to.equal('/trains Madrid');

    chat.getToken = () => 'et_kim_1';

    await until('the message', () => sentMessages(platform).length > 0);
    expect(JSON.stringify(sentMessages(platform))).to.contain('Trains to Madrid?');
    await until('an empty field', () => fieldOf(chat)?.value === '');
  });

  it('does not send a submitted message that the user changed before the page set getToken', async () => {
    const platform = testPlatform();
    const chat = mount(document.createElement('inlay-chat'));
    chat.baseUrl = platform.baseUrl;
    const user = new User(chat);
    (await waitForField(chat)).focus();
    user.type('Where is');
    user.press('Enter');
    user.type('Where is my order?');

    chat.getToken = () => 'et_kim_1';

    await user.sees('Hello kim');
    expect(sentMessages(platform)).to.deep.equal([]);
    expect(fieldOf(chat)?.value).to.equal('Where is my order?');
  });

  it('sends no message that was submitted for the previous user before the settings arrived', async () => {
    const platform = testPlatform();
    const { chat, user } = setup(platform);
    let answer = (_token: string) => {};
    const token = new Promise<string>((resolve) => {
      answer = resolve;
    });
    chat.getToken = () => token;
    await waitForField(chat);
    user.type('Where is my order?');
    user.press('Enter');
    const isSent = chat.sendMessage('From the page');
    await chat.updateComplete;

    chat.getToken = () => 'et_lee_1';
    chat.reset();
    answer('et_kim_1');

    expect(await isSent).to.equal(false);
    await user.sees('Hello lee');
    expect(sentMessages(platform)).to.deep.equal([]);
  });

  it('resolves sendMessage() with false if the user is blocked', async () => {
    const platform = testPlatform();
    platform.refuse('EMBED_USER_BLOCKED');
    const { chat } = setup(platform);

    expect(await chat.sendMessage('From the page')).to.equal(false);

    expect(sentMessages(platform)).to.deep.equal([]);
  });

  it('sends a message that the page passes to sendMessage() immediately after it added the chat', async () => {
    const platform = testPlatform();
    const { chat, user } = setup(platform);

    expect(await chat.sendMessage('From the page')).to.equal(true);

    await user.sees('From the page');
    expect(chat.currentSessionId).to.match(/^ses_/);
  });

  it('replaces a stored draft with the text of setDraft(), which the page calls before the chat is ready', async () => {
    const platform = testPlatform();
    const first = setup(platform);
    await first.user.sees('Hello kim');
    await first.user.say('Where is my order?');
    await until('the session', () => first.chat.currentSessionId);
    first.user.type('stored');
    first.chat.remove();
    const { chat, user } = setup(platform);

    chat.setDraft('From the page');

    await user.sees('Where is my order?');
    expect(user.field.value).to.equal('From the page');
    expect(user.field.selectionStart).to.equal(13);
    expect(sentMessages(platform)).to.have.length(1);
  });

  it('replaces the draft with the text of setDraft(), with the caret at its end', async () => {
    const { chat, user } = setup(testPlatform());
    await user.sees('Hello kim');
    user.type('mine');

    await chat.setDraft('From the page');

    expect(user.field.value).to.equal('From the page');
    expect(user.field.matches(':focus')).to.equal(true);
    expect(user.field.selectionStart).to.equal(13);
    await chat.setDraft('');
    expect(user.field.value).to.equal('');
  });
});
