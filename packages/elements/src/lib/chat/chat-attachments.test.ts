import '../../define-all.ts';
import { attaching } from '../attachments/load-attaching.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

function setup(options: Partial<InlayChat> = { noResume: true }) {
  const platform = testPlatform({
    features: { attachments: true, feedback: false, threads: false },
    attachments: { max_bytes: 1_000, max_files: 2, media_types: ['text/*'] },
  });
  const seed = (text: string) => platform.seed('kim', [events.user(text)]);
  const [first, second] = [seed('First question'), seed('Second question')];
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' }, options);
  const user = new User(mount(chat));
  const composer = () => chat.shadowRoot?.querySelector('inlay-composer');
  const attach = async (name: string) => {
    await attaching.load();
    composer()?.addFiles([new File(['a'], name, { type: 'text/plain' })]);
    await user.sees(name);
  };
  const canSend = () => until('the upload', () => user.buttons('Send')[0]?.disabled === false);
  const sentBodies = () =>
    platform
      .requests()
      .filter(({ name }) => name.startsWith('POST /sessions'))
      .map(({ body }) => JSON.stringify(body));
  return { platform, chat, user, composer, attach, canSend, sentBodies, first, second };
}

describe('attachments in inlay-chat', () => {
  it('stay with a new conversation while another conversation loads', async () => {
    const { platform, chat, user, attach, canSend, sentBodies, first } = setup();
    await user.sees('Hello kim');
    await attach('salary.txt');
    await canSend();
    platform.goOffline();

    expect(chat.openConversation(first)).to.equal(true);

    expect(chat.currentSessionId).to.equal(first);
    await user.seesNo('salary.txt');
    await user.say('For the first');
    platform.goOnline();
    await until('the message', () => sentBodies().length > 0);
    expect(sentBodies()[0]).to.contain('For the first').and.not.to.contain('document');
    chat.newConversation();
    await user.sees('salary.txt');
  });

  it('show their size before and after they are sent, and when the conversation is loaded again', async () => {
    const { platform, chat, user, attach, canSend, sentBodies } = setup();
    await user.sees('Hello kim');
    await attach('notes.txt');
    await canSend();
    await user.sees('1 byte');

    await user.say('Please read this');
    await until('the message', () => sentBodies().length > 0);
    await until('the sent file', () => user.buttons('Download notes.txt. 1 byte')[0]);
    await user.sees('1 byte');

    const sessionId = await until('the session', () => chat.currentSessionId);
    const again = document.createElement('inlay-chat');
    chat.remove();
    Object.assign(again, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1', sessionId });
    const reader = new User(mount(again));
    await until('the loaded file', () => reader.buttons('Download notes.txt. 1 byte')[0]);
    await reader.sees('1 byte');
  });

  it('are kept when the conversation to which they were added has loaded', async () => {
    const { platform, chat, user, attach, first, second } = setup();
    await user.sees('Hello kim');
    platform.goOffline();
    chat.openConversation(first);
    await chat.updateComplete;
    await attach('notes.txt');

    platform.goOnline();
    await user.sees('First question');

    expect(user.text).to.contain('notes.txt');
    chat.openConversation(second);
    await user.sees('Second question');
    expect(user.text).not.to.contain('notes.txt');
  });

  it('are kept when the conversation to resume is found', async () => {
    const { user, attach } = setup({});
    const { fetch } = globalThis;
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    // The test platform restores the original `fetch` after the test.
    globalThis.fetch = async (input, init) => {
      if (String(input).includes('/sessions?')) await isAnswered;
      return fetch(input, init);
    };
    await until('attachments', () => user.buttons('Attach files').length > 0);
    await attach('notes.txt');

    answer();
    await user.sees('Second question');

    expect(user.text).to.contain('notes.txt');
  });

  it('are kept when a new conversation with a message without text gets its id', async () => {
    const { platform, user, composer, attach, canSend } = setup();
    await user.sees('Hello kim');
    await attach('picture.txt');
    await canSend();
    platform.goOffline();
    user.press('Enter');
    await user.sees('picture.txt');
    await attach('next.txt');

    platform.goOnline();
    await until('the session', () => composer()?.conversationId);
    await composer()?.updateComplete;

    expect(user.text).to.contain('next.txt');
  });

  it('are moved from a conversation that was terminated to a new conversation', async () => {
    const { platform, chat, user, attach, second } = setup();
    await user.sees('Hello kim');
    chat.openConversation(second);
    await user.sees('Second question');
    platform.append({ type: 'session.status_terminated' });
    await user.sees('This conversation has ended');
    await attach('notes.txt');

    chat.newConversation();

    await user.sees('Hello kim');
    expect(user.text).to.contain('notes.txt');
  });
});
