import '../../define-all.ts';
import { LitElement } from 'lit';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { events, type TestPlatform, testPlatform } from '../testing/platform.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

interface Setup {
  chat: InlayChat;
  user: User;
  platform: TestPlatform;
}

function setup(options: Partial<InlayChat> = {}, platform = testPlatform()): Setup {
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' }, options);
  chat.style.height = '600px';
  mount(chat);
  return { chat, user: new User(chat), platform };
}

describe('inlay-chat', () => {
  it('passes the accessibility audit when empty and with a conversation', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    await expectAccessible(chat);

    await user.say('Where is my order?');
    await user.sees('Where is my order?');
    await until('the session', () => chat.currentSessionId);
    await platform.append(events.running(), events.agent('It is on its *way*.'), events.idle());
    await user.sees('It is on its way');
    await expectAccessible(chat);
  });

  it('moves focus from the composer to the last message with Alt+Page Up, and back with Escape', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    await user.say('Where is my order?');
    await until('the session', () => chat.currentSessionId);
    await platform.append(events.running(), events.agent('It is on its *way*.'), events.idle());
    await user.sees('It is on its way');

    user.press('PageUp', { altKey: true });
    const row = await until('the focus', () => deepAll(chat, '.row.agent:focus')[0]);
    row.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }),
    );
    await until('the field', () => user.field.matches(':focus'));
  });

  it('shows the greeting and suggestions of the settings', async () => {
    const { user } = setup();

    await user.sees('Hello kim');

    expect(user.text).to.contain('Ada').and.to.contain('Orders and returns');
    expect(user.text).to.contain('Where is my order?').and.to.contain('Ada can make mistakes.');
  });

  it('says that an AI answers, before the first message and at the start of the conversation', async () => {
    const { chat, user, platform } = setup();
    const disclosure = 'You are talking to an AI assistant.';
    await user.sees('Hello kim');
    const [line] = deepAll<HTMLElement>(chat, '.disclosure');
    const [greeting] = deepAll(chat, '[part="greeting"]');
    if (!line || !greeting) throw new Error('The chat has no disclosure or no greeting.');
    expect(line.innerText).to.equal(disclosure);
    expect(line.getBoundingClientRect().bottom).to.be.below(greeting.getBoundingClientRect().top);
    // Focus starts in the field, after the line. Once there are messages, the field does not repeat it.
    expect(user.field.ariaDescription).to.equal(disclosure);

    await user.say('Where is my order?');
    await until('the session', () => chat.currentSessionId);
    await platform.append(events.running(), events.agent('On its way.'), events.idle());
    await user.sees('On its way');

    const [row] = deepAll(chat, '.row');
    expect(line.innerText).to.equal(disclosure);
    expect(line.compareDocumentPosition(row ?? line)).to.equal(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(user.field.ariaDescription).to.equal(null);
  });

  it('words the disclosure as the agent’s settings do; an empty wording shows none', async () => {
    const disclosureOf = async (disclosure: string) => {
      const { chat, user } = setup({}, testPlatform({ disclosure }));
      await user.sees('Hello kim');
      return [deepAll<HTMLElement>(chat, '.disclosure')[0]?.innerText, user.field.ariaDescription];
    };

    expect(await disclosureOf('A robot.')).to.deep.equal(['A robot.', 'A robot.']);
    expect(await disclosureOf('')).to.deep.equal([undefined, null]);
  });

  it('sends the prompt of a suggestion', async () => {
    const { user, platform } = setup();

    await user.click('Where is my order?');
    await user.sees('Where is order 10482?');

    const call = await until('the call', async () =>
      (await platform.requests()).find(({ name }) => name === 'POST /sessions'),
    );
    expect(JSON.stringify(call.body)).to.contain('Where is order 10482?');
  });

  it('renders a streaming message, and dispatches inlay-answer at its end', async () => {
    const { chat, user, platform } = setup();
    const answers: string[] = [];
    chat.addEventListener('inlay-answer', ({ detail }) => answers.push(detail.text));
    await user.sees('Hello kim');
    await user.say('Hi');
    await until('the session', () => chat.currentSessionId);

    await platform.append(events.running());
    await platform.live(events.start('evt_a'), events.delta('evt_a', 'On its'));
    await user.sees('On its');
    expect(answers).to.deep.equal([]);
    await platform.live(events.delta('evt_a', ' way.'));
    await user.sees('On its way.');
    await platform.append(events.agent('On its way.', 'evt_a'), events.idle());
    await until('the event', () => answers.length > 0);

    expect(answers).to.deep.equal(['On its way.']);
  });

  it('updates neither the message list nor its other rows while a message grows', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    await user.say('Hi');
    await until('the session', () => chat.currentSessionId);
    platform.append(events.running());
    platform.live(events.start('evt_a'), events.delta('evt_a', 'It grows'));
    await user.sees('It grows');
    for (let frame = 0; frame < 5; frame += 1) await nextFrame();
    const updated = new Set<string>();
    for (const element of [chat, ...deepAll(chat, '*')]) {
      const hostUpdate = () => updated.add(element.localName);
      if (element instanceof LitElement) element.addController({ hostUpdate });
    }

    for (const text of ['It grows and', 'It grows and grows']) {
      platform.live(events.delta('evt_a', text.slice(text.lastIndexOf(' '))));
      await user.sees(text);
    }
    expect([...updated]).to.have.members(['inlay-chat', 'inlay-agent-message', 'inlay-markdown']);

    platform.append(events.agent('It grows and grows.', 'evt_a'), events.idle());
    await user.sees('It grows and grows.');
    expect(updated).to.include('inlay-message-list');
  });

  it('shows no activity and nothing to stop until the message is sent', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    const release = platform.hold('POST /sessions');
    await user.say('Where is my order?');
    await user.sees('Sending');

    expect(deepAll(chat, '.pulse')).to.have.length(0);
    expect(user.buttons('Stop')).to.have.length(0);
    expect(user.text).not.to.contain('Ada is answering');

    release();
    await until('the session', () => chat.currentSessionId);
    await platform.append(events.running());
    await until('the activity indicator', () => deepAll(chat, '.pulse')[0]);
    await user.sees('Ada is answering');
    expect(user.buttons('Stop')).to.have.length(1);
  });

  it('announces complete sentences, never fragments, and the end of the answer', async () => {
    const { chat, user, platform } = setup();
    const region = () =>
      Array.from(
        chat.shadowRoot?.querySelectorAll('[aria-live=polite] p') ?? [],
        ({ textContent }) => textContent,
      ).join(' | ');
    await user.sees('Hello kim');
    await user.say('Hi');
    await until('the session', () => chat.currentSessionId);

    await platform.append(events.running());
    await platform.live(events.start('evt_a'), events.delta('evt_a', 'It is **on'));
    await user.sees('It is');
    expect(region()).not.to.contain('It is');
    await platform.append(events.agent('It is **on its way**.', 'evt_a'), events.idle());
    await until('the end', () => region().includes('End of the answer'));

    expect(region()).to.equal('Ada is answering | Ada: It is on its way. | End of the answer');
  });

  it('keeps the text if the page prevents inlay-message-request', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    chat.addEventListener('inlay-message-request', (event) => event.preventDefault());

    await user.say('Not yet');

    expect(user.field.value).to.equal('Not yet');
    const names = (await platform.requests()).map(({ name }) => name);
    expect(names).not.to.include('POST /sessions');
  });

  it('dispatches inlay-message-request for an edited message', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    await user.say('Where is my order?');
    const [message] = await until('the message', () => {
      const elements = deepAll<HTMLElementTagNameMap['inlay-user-message']>(
        chat,
        'inlay-user-message',
      );
      return chat.currentSessionId && elements[0]?.entry ? elements : null;
    });
    const requested: string[] = [];
    chat.addEventListener('inlay-message-request', (event) => {
      requested.push(event.detail.text);
      event.preventDefault();
    });
    const before = (await platform.requests()).length;

    const detail = { key: message?.entry?.key ?? '', text: 'My password' };
    const options = { detail, bubbles: true, composed: true, cancelable: true };
    const isAllowed = message?.dispatchEvent(new CustomEvent('inlay-entry-edit-request', options));

    expect(isAllowed).to.equal(false);
    expect(requested).to.deep.equal(['My password']);
    const bodies = (await platform.requests()).slice(before).map(({ body }) => body);
    expect(JSON.stringify(bodies)).not.to.contain('My password');
  });

  it('sends text that the page passes to sendMessage(), which resolves to whether it was sent', async () => {
    const { chat, user } = setup();
    const sessions: unknown[] = [];
    chat.addEventListener('inlay-message', ({ detail }) => sessions.push(detail.sessionId));
    await user.sees('Hello kim');

    expect(await chat.sendMessage('From the page')).to.equal(true);
    expect(await chat.sendMessage('   ')).to.equal(false);
    await user.sees('From the page');
    expect(sessions).to.deep.equal([chat.currentSessionId]);
    expect(chat.currentSessionId).to.match(/^ses_/);
  });

  it('removes a discarded message and does not restore it as a draft', async () => {
    const { user, platform } = setup({ noResume: true });
    await user.sees('Hello kim');
    await platform.refuse('VALIDATION_ERROR');
    await user.say('Never to arrive');
    await user.sees('Not sent');

    await user.click('Discard');

    await user.seesNo('Never to arrive');
    expect(user.field.value).to.equal('');
    expect(user.text).to.contain('Hello kim');
  });

  it('shows that a token source is missing, and starts when getToken is set', async () => {
    const { chat, user } = setup({ getToken: null });
    const errors: string[] = [];
    chat.addEventListener('inlay-error', ({ detail }) => errors.push(detail.code));

    await user.sees('None of token-url, getToken and publishable-key is set.');
    expect(errors).to.deep.equal(['INVALID_OPTION']);

    chat.getToken = () => 'et_kim_1';
    await user.sees('Hello kim');
  });

  it('shows that base-url is missing', async () => {
    const { user } = setup({ baseUrl: '' });

    await user.sees('base-url is missing.');
  });

  it('signs in an anonymous visitor with a publishable key', async () => {
    const { user, platform } = setup({
      getToken: null,
      publishableKey: 'pk_demo',
      visitorStorage: 'memory',
    });

    await user.sees('Hello visitor');

    const calls = await platform.requests();
    expect(calls[0]?.body).to.deep.include({ publishable_key: 'pk_demo' });
  });

  it('T31: calls the latest getToken, and does not restart if getToken changes', async () => {
    const called: string[] = [];
    const source = (name: string) => () => {
      called.push(name);
      return `et_kim_${called.length}`;
    };
    const { chat, user, platform } = setup({ getToken: source('first') });
    await user.sees('Hello kim');
    user.type('half a thought');

    for (let render = 0; render < 5; render += 1) {
      chat.getToken = source(`render ${render}`);
      await chat.updateComplete;
    }
    const configs = (await platform.requests()).filter(({ name }) => name.includes('config'));
    await chat.reconnect();
    expect(configs).to.have.length(1);
    expect(user.field.value).to.equal('half a thought');

    await platform.refuse('EMBED_TOKEN_REVOKED');
    await chat.sendMessage('Hi');
    expect(called[0]).to.equal('first');
    expect(called.slice(1)).to.satisfy((names: string[]) =>
      names.every((name) => name === 'render 4'),
    );
  });

  it('resumes the latest conversation after a reload', async () => {
    const platform = testPlatform();
    await platform.seed('kim', [events.user('Earlier question'), events.agent('Earlier answer')]);

    const { user } = setup({}, platform);

    await user.sees('Earlier question');
    await user.sees('Earlier answer');
  });

  it('starts a new conversation with no-resume', async () => {
    const platform = testPlatform();
    await platform.seed('kim', [events.user('Earlier question')]);

    const { user } = setup({ noResume: true }, platform);
    await user.sees('Hello kim');

    expect(user.text).not.to.contain('Earlier question');
  });

  it('starts a new conversation, and keeps the draft of the previous conversation', async () => {
    const platform = testPlatform();
    const first = await platform.seed('kim', [events.user('Earlier question')]);
    const { chat, user } = setup({ sessionId: first }, platform);
    await user.sees('Earlier question');
    user.type('unsent');

    await user.click('New conversation');
    await user.sees('Hello kim');
    expect(user.field.value).to.equal('');

    chat.sessionId = '';
    await chat.updateComplete;
    chat.sessionId = first;
    await user.sees('Earlier question');
    expect(user.field.value).to.equal('unsent');
  });

  it('restores the draft after a reload, but not for another user', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    user.type('half a thou');
    chat.remove();
    // The element releases its resources unless it is inserted again in the same task.
    await nextFrame();

    const reloaded = setup({}, platform);
    await reloaded.user.sees('Hello kim');
    await until('the draft', () => reloaded.user.field.value === 'half a thou');

    const { user: other } = setup({ getToken: () => 'et_lee_1' }, platform);
    await other.sees('Hello lee');
    expect(other.field.value).to.equal('');
  });

  it('sends unsent messages after a reload', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    platform.goOffline();
    await user.say('Are you there?');
    await user.sees('Are you there?');
    chat.remove();
    await nextFrame();

    platform.goOnline();
    const reloaded = setup({}, platform);
    await reloaded.user.sees('Are you there?');
    await until('the session', () => reloaded.chat.currentSessionId);
  });

  it('keeps its conversation and draft when it is moved in the DOM', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    await user.say('Hi');
    await until('the session', () => chat.currentSessionId);
    user.type('draft');

    const otherParent = mount(document.createElement('div'));
    otherParent.append(chat);
    await nextFrame();
    await platform.append(events.running(), events.agent('Still here.'), events.idle());

    await user.sees('Still here.');
    expect(user.field.value).to.equal('draft');
  });

  it('closes its streams when it is removed, and reopens them when it is inserted again', async () => {
    const { chat, user, platform } = setup();
    await user.sees('Hello kim');
    await user.say('Hi');
    await until('the stream', async () => (await platform.streams()) === 1);

    chat.remove();
    await until('the end of the stream', async () => (await platform.streams()) === 0);
    mount(chat);

    await user.sees('Hi');
    await until('the stream', async () => (await platform.streams()) === 1);
  });

  it('T29: isolates two chats on a page', async () => {
    const platform = testPlatform();
    const kim = setup({ noResume: true }, platform);
    const lee = setup({ noResume: true, getToken: () => 'et_lee_1' }, platform);
    await kim.user.sees('Hello kim');
    await lee.user.sees('Hello lee');

    await kim.chat.sendMessage('From Kim');
    await kim.user.sees('From Kim');

    expect(lee.user.text).not.to.contain('From Kim');
  });

  it('has an accessible name on every button', async () => {
    const { chat, user } = setup();
    await user.sees('Hello kim');

    for (const button of deepAll<HTMLButtonElement>(chat, 'button')) {
      expect(button.ariaLabel || button.textContent?.trim()).not.to.equal('');
    }
  });
});
