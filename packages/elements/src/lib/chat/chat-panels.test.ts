import '../../define-all.ts';
import type { EmbedConfig } from '@inlay/protocol';
import { sendMouse } from '@web/test-runner-commands';
import { unsent } from '../consent/consent-store.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { events, type TestPlatform, testPlatform } from '../testing/platform.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

const features = {
  attachments: false,
  feedback: true,
  threads: true,
  edit: true,
  export: true,
  delete: true,
  forget_me: true,
};

function setup(settings: Partial<EmbedConfig> = {}, options: Partial<InlayChat> = {}) {
  const platform = testPlatform({ features, ...settings });
  const open = (userId = 'kim') => {
    const chat = document.createElement('inlay-chat');
    const getToken = () => `et_${userId}_1`;
    Object.assign(chat, { baseUrl: platform.baseUrl, getToken }, options);
    chat.style.height = '600px';
    mount(chat);
    return { chat, user: new User(chat) };
  };
  return { platform, open, ...open() };
}

/** Mounts a chat with a conversation. */
async function setupConversation(settings: Partial<EmbedConfig> = {}) {
  const parts = setup(settings);
  await parts.user.sees('Hello kim');
  await parts.user.say('Where is my order?');
  const sessionId = await until('the session', () => parts.chat.currentSessionId);
  await parts.platform.append(events.running(), events.agent('On its way.'), events.idle());
  await parts.user.sees('On its way.');
  return { ...parts, sessionId };
}

describe('inlay-chat with several conversations', () => {
  it('switches between conversations and keeps the draft of each', async () => {
    const { chat, user, platform, sessionId } = await setupConversation();
    const other = platform.seed('kim', [events.user('Change my seat'), events.agent('Which one?')]);
    const shownIds: (string | null)[] = [];
    chat.addEventListener('inlay-conversation', ({ detail }) => shownIds.push(detail.sessionId));
    user.type('half a thou');
    await user.click('Show conversations');
    await user.sees('Change my seat');
    finishAnimations(chat);
    await expectAccessible(chat);

    const row = deepAll<HTMLButtonElement>(chat, 'button.conversation').find(({ textContent }) =>
      textContent?.includes('Change my seat'),
    );
    row?.click();
    await user.sees('Which one?');
    expect(user.field.value).to.equal('');
    expect(chat.openConversation(sessionId)).to.equal(true);
    await user.sees('On its way.');

    await until('the draft', () => user.field.value === 'half a thou');
    expect(shownIds).to.deep.equal([other, sessionId]);
  });

  it('lists a conversation with a new answer first, after the user left it during the answer', async () => {
    const { chat, user, platform } = await setupConversation();
    platform.append(events.user('And the lamp?'), events.running());
    await until('the run', () => user.buttons('Stop').length > 0);
    await user.click('New conversation');
    await user.seesNo('On its way.');
    const answered = platform.session();
    platform.seed('kim', [events.user('Change my seat'), events.agent('Which one?')]);
    await user.click('Show conversations');
    await user.sees('Change my seat');
    expect(user.text).not.to.contain('New The lamp');

    answered.append(events.agent('The lamp too.'), events.idle());
    await user.sees('New The lamp too.');
    const [first] = deepAll<HTMLButtonElement>(chat, 'button.conversation');
    first?.click();
    await user.sees('The lamp too.');
    await user.seesNo('New The lamp');
  });

  it('has one button for a new conversation, and the title of the list while it covers the chat', async () => {
    const { chat, user } = await setupConversation();
    chat.style.width = '400px';
    const title = () => deepAll(chat, 'header h2').find((element) => element.checkVisibility());
    expect(title()?.textContent).to.equal('Ada');
    await user.click('Show conversations');
    await user.sees('today');

    expect(title()?.textContent).to.equal('Conversations');
    expect(user.buttons('New conversation')).to.have.length(1);
    chat.style.width = '900px';
    expect(title()?.textContent).to.equal('Ada');
    expect(user.buttons('New conversation')).to.have.length(1);
  });

  it('makes the list inert before it fades out over the conversation, and then removes it', async () => {
    const { chat, user } = await setupConversation();
    chat.style.width = '400px';
    await user.click('Show conversations');
    await user.sees('today');
    finishAnimations(chat);
    const [list] = deepAll(chat, 'inlay-conversation-list');
    await user.click('Hide conversations');
    await chat.updateComplete;

    expect(list?.inert).to.equal(true);
    expect(user.field.checkVisibility({ visibilityProperty: true })).to.equal(true);
    finishAnimations(chat);
    await until('the list to go', () => !list?.isConnected);
  });

  it('loads a conversation once if the page sets sessionId to the one that is being opened', async () => {
    const { chat, user, platform } = await setupConversation();
    const other = platform.seed('kim', [events.user('Change my seat'), events.agent('Which one?')]);
    const shownIds: (string | null)[] = [];
    chat.addEventListener('inlay-conversation', ({ detail }) => {
      shownIds.push(detail.sessionId);
      chat.sessionId = detail.sessionId ?? '';
    });

    expect(chat.openConversation(other)).to.equal(true);
    expect(chat.openConversation(other)).to.equal(true);
    await user.sees('Which one?');

    expect(shownIds).to.deep.equal([other]);
    expect(platform.requests().filter(({ name }) => name === 'GET /sessions/{id}')).to.have.length(
      1,
    );
  });

  it('does not switch if the page prevents inlay-conversation-request', async () => {
    const { chat, user, platform } = await setupConversation();
    const other = platform.seed('kim', [events.user('Change my seat')]);
    const shownIds: (string | null)[] = [];
    chat.addEventListener('inlay-conversation', ({ detail }) => shownIds.push(detail.sessionId));
    const prevent = (event: Event) => event.preventDefault();
    chat.addEventListener('inlay-conversation-request', prevent);

    expect(chat.openConversation(other)).to.equal(false);
    chat.newConversation();
    chat.removeEventListener('inlay-conversation-request', prevent);
    expect(chat.openConversation(other)).to.equal(true);
    await user.sees('Change my seat');

    expect(shownIds).to.deep.equal([other]);
  });

  it('shows a new conversation that the user starts in a list that covers the chat', async () => {
    const { chat, user } = await setupConversation();
    chat.style.width = '400px';
    await user.click('Show conversations');
    const list = await until('the list', () => {
      const [element] = deepAll(chat, 'inlay-conversation-list');
      return element?.shadowRoot?.querySelector<HTMLElement>('.new') && element;
    });
    const startOver = () => list.shadowRoot?.querySelector<HTMLElement>('.new')?.click();
    const prevent = (event: Event) => event.preventDefault();
    chat.addEventListener('inlay-conversation-request', prevent);
    startOver();
    await chat.updateComplete;
    expect(list.isConnected).to.equal(true);
    chat.removeEventListener('inlay-conversation-request', prevent);

    startOver();

    await until('the field', () => deepAll(chat, 'textarea:focus').length === 1);
    await until('the list to go', () => !list.isConnected);
    await user.sees('Hello kim');
  });

  it('keeps a list beside the conversation open when the user starts a new conversation', async () => {
    const { chat, user } = await setupConversation();
    chat.style.width = '900px';
    await user.click('Show conversations');
    await until('the list', () => deepAll(chat, 'input[type=search]:focus')[0]);

    chat.newConversation();

    await until('the field', () => deepAll(chat, 'textarea:focus').length === 1);
    await user.sees('Hello kim');
    expect(deepAll(chat, 'inlay-conversation-list')).to.have.length(1);
  });

  it('has no conversation list if the settings or the page disable it', async () => {
    const { user } = setup({ features: { ...features, threads: false } });
    await user.sees('Hello kim');
    expect(user.buttons('Show conversations')).to.have.length(0);

    const withoutList = setup({}, { noConversationList: true });
    await withoutList.user.sees('Hello kim');
    expect(withoutList.user.buttons('Show conversations')).to.have.length(0);
  });

  it('shows only the conversation of a token with `session_id`', async () => {
    const { platform, open } = setup();
    const sessionId = platform.seed('kim', [events.user('Hi'), events.agent('Your parcel left.')]);
    platform.seed('kim', [events.user('Change my seat'), events.agent('Which one?')]);
    const token = { expires_at: '', external_user_id: 'kim', session_id: sessionId };
    platform.configure({ features: { ...features, threads: false }, token });
    const { chat, user } = open();

    await user.sees('Your parcel left.');
    chat.newConversation();

    expect(chat.currentSessionId).to.equal(sessionId);
    expect(chat.openConversation('ses_other')).to.equal(false);
    expect(user.buttons('Show conversations')).to.have.length(0);
    expect(user.buttons('New conversation')).to.have.length(0);
    await chat.deleteConversation();
    await user.sees('This conversation has ended');
    expect(deepAll(chat, '.banner')[0]?.textContent).not.to.contain('You can start a new one');
    expect(user.buttons('New conversation')).to.have.length(0);
  });

  it('updates the list beside the conversation when conversations are continued, added and deleted', async () => {
    const { chat, user, platform } = await setupConversation();
    chat.style.width = '900px';
    const other = platform.seed('kim', [events.user('Change my seat'), events.agent('Which one?')]);
    const sendMessage = async (text: string) => {
      await user.say(text);
      await until('the message', () =>
        platform.requests().some(({ body }) => JSON.stringify(body).includes(text)),
      );
    };
    await sendMessage('Really?');
    const rows = () =>
      deepAll(chat, 'button.conversation').map((row) => {
        const title = row.querySelector('.title')?.textContent;
        return row.ariaCurrent === 'true' ? `${title} (current)` : title;
      });
    const untilRowsAre = (...expected: string[]) =>
      until(
        () => `${rows()} to be ${expected}`,
        () => `${rows()}` === `${expected}`,
      );
    await user.click('Show conversations');
    await untilRowsAre('Where is my order? (current)', 'Change my seat');

    chat.openConversation(other);
    await user.sees('Which one?');
    await sendMessage('The first.');
    await platform.append(events.running(), events.agent('Done.'), events.idle());
    await untilRowsAre('Change my seat (current)', 'Where is my order?');

    chat.newConversation();
    await user.sees('Hello kim');
    await user.say('Brand new');
    await untilRowsAre('Brand new (current)', 'Change my seat', 'Where is my order?');

    expect(await chat.deleteConversation()).to.equal(true);
    await untilRowsAre('Change my seat', 'Where is my order?');
  });

  it('closes the conversation list with Escape, and returns focus to its button', async () => {
    const { chat, user } = await setupConversation();
    await user.click('Show conversations');
    const field = await until('the list', () => deepAll(chat, 'input[type=search]:focus')[0]);

    field.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }),
    );

    await until('the button', () => deepAll(chat, '.conversations-button:focus').length === 1);
    expect(deepAll(chat, 'inlay-conversation-list')).to.have.length(0);
  });
});

describe('inlay-chat with a menu to export and delete data', () => {
  it('exports the conversation as a file', async () => {
    const { chat, user } = await setupConversation();
    const saved: { name: string; blob: Promise<string> }[] = [];
    const received: string[] = [];
    chat.addEventListener('inlay-export', ({ detail }) => received.push(detail.format));
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, blob: fetch(this.href).then((answer) => answer.text()) });
    };
    try {
      await user.click('More');
      await user.sees('Export as Markdown');
      finishAnimations(chat);
      await expectAccessible(chat);
      await user.click('Export as Markdown');
      await until('the copy', () => saved.length === 1);
      expect(await chat.exportConversation('json')).to.equal(true);
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }

    expect(saved.map(({ name }) => name.replace(/^ses_[\w-]+/, ''))).to.deep.equal([
      '.md',
      '.json',
    ]);
    expect(received).to.deep.equal(['markdown', 'json']);
    expect(await saved[0]?.blob)
      .to.contain('Where is my order?')
      .and.to.contain('On its way.');
    expect(JSON.parse((await saved[1]?.blob) ?? '')).to.be.an('object');
  });

  it('deletes the conversation after a confirmation', async () => {
    const { chat, user, sessionId } = await setupConversation();
    const deleted: string[] = [];
    chat.addEventListener('inlay-delete', ({ detail }) => deleted.push(detail.sessionId));
    await user.click('More');
    await user.click('Delete conversation');
    await user.sees('This can’t be undone');
    finishAnimations(chat);
    await expectAccessible(chat);

    await user.click('Delete');

    await user.seesNo('On its way.');
    await user.sees('Hello kim');
    expect(deleted).to.deep.equal([sessionId]);
    expect(chat.currentSessionId).to.equal(null);
  });

  it('does not delete the conversation if the page prevents inlay-delete-request', async () => {
    const { chat, user } = await setupConversation();
    chat.addEventListener('inlay-delete-request', (event) => event.preventDefault());

    expect(await chat.deleteConversation()).to.equal(false);

    expect(user.text).to.contain('On its way.');
  });

  it('deletes all conversations of the user, and dispatches inlay-forget', async () => {
    const { chat, user, platform, open } = await setupConversation();
    platform.seed('kim', [events.user('Something else')]);
    let forgotten = 0;
    chat.addEventListener('inlay-forget', () => {
      forgotten += 1;
    });
    await user.click('More');
    await user.click('Delete my data');
    await user.click('Delete everything');
    await user.seesNo('On its way.');
    await until('the event', () => forgotten === 1);

    const reloaded = open();
    await reloaded.user.sees('Hello kim');
    await reloaded.user.click('Show conversations');
    await reloaded.user.sees('No conversations yet');
  });

  it('shows that an export failed, and keeps the conversation if a deletion fails', async () => {
    const { chat, user, platform } = await setupConversation();
    const codes: string[] = [];
    chat.addEventListener('inlay-error', ({ detail }) => codes.push(detail.code));
    platform.refuse('INTERNAL_ERROR');

    expect(await chat.deleteConversation()).to.equal(false);
    expect(await chat.exportConversation('markdown')).to.equal(false);

    expect(codes).to.deep.equal(['INTERNAL_ERROR', 'INTERNAL_ERROR']);
    await user.sees('Couldn’t export the conversation');
    expect(user.text).to.contain('On its way.');
  });

  it('has no menu if the settings allow none of its actions', async () => {
    const { user } = await setupConversation({
      features: { ...features, export: false, delete: false, forget_me: false },
    });

    expect(user.buttons('More')).to.have.length(0);
  });

  it('moves focus through the menu with the arrow keys, and closes it with Escape', async () => {
    const { chat, user } = await setupConversation();
    await user.click('More');
    const focused = () => deepAll(chat, '[role=menuitem]:focus')[0]?.textContent?.trim();
    await until('the first item', () => focused()?.startsWith('Export as Markdown'));
    const press = (key: string) =>
      deepAll(chat, '[role=menuitem]:focus')[0]?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }),
      );

    press('ArrowUp');
    expect(focused()).to.equal('Delete my data');
    press('ArrowDown');
    expect(focused()).to.contain('Export as Markdown');
    press('Escape');

    await until('the button', () => deepAll(chat, '.menu-button:focus').length === 1);
    expect(deepAll(chat, 'inlay-menu:not([closed])')).to.have.length(0);
  });

  it('closes the menu with a click on its button, or on text', async () => {
    const { chat } = await setupConversation();
    const click = async (selector: string) => {
      const [target] = deepAll(chat, selector);
      if (!target) throw new Error(`No ${selector}`);
      const { x, y, width, height } = target.getBoundingClientRect();
      const position: [number, number] = [Math.round(x + width / 2), Math.round(y + height / 2)];
      await sendMouse({ type: 'click', position });
    };
    const isOpen = () => deepAll(chat, 'inlay-menu:not([closed])').length === 1;
    const openMenu = async () => {
      await click('.menu-button');
      await until('the first item', () => deepAll(chat, '[role=menuitem]:focus').length === 1);
    };
    await openMenu();
    await click('.menu-button');
    expect(isOpen()).to.equal(false);

    await openMenu();
    await click('h2');
    expect(isOpen()).to.equal(false);
  });
});

describe('inlay-chat', () => {
  it('dispatches a cancelable inlay-message-request when the user regenerates an answer', async () => {
    const { chat, user, platform } = await setupConversation();
    const requestedTexts: string[] = [];
    const prevent = (event: HTMLElementEventMap['inlay-message-request']) => {
      requestedTexts.push(event.detail.text);
      event.preventDefault();
    };
    chat.addEventListener('inlay-message-request', prevent);
    const userMessages = () =>
      platform.requests().filter(({ name }) => name === 'POST /sessions/{id}/events').length;

    await user.click('Regenerate');
    await nextFrame();
    expect(userMessages()).to.equal(0);
    chat.removeEventListener('inlay-message-request', prevent);
    await user.click('Regenerate');

    await until('the message', () => userMessages() === 1);
    expect(requestedTexts).to.deep.equal(['Where is my order?']);
  });

  it('keeps the mode and the remaining mentions of an edited message', async () => {
    const modes = ['fast', 'deep'].map((id) => ({ id, label: id }));
    const { chat, user, platform } = setup({ modes });
    await user.sees('Hello kim');
    const mentions = [
      { id: 'order_1', label: 'Order 1' },
      { id: 'order_10', label: 'Order 10' },
    ];
    const message = { ...events.user('Compare @Order 1 and @Order 10'), mode: 'deep', mentions };
    chat.openConversation(platform.seed('kim', [message, events.agent('They are equal.')]));
    await user.sees('They are equal.');

    await user.click('Edit');
    await until('the editor', () => deepAll(chat, 'textarea').length === 2);
    user.type('Explain @Order 10');
    user.press('Enter');

    const sent = await until('the message', () =>
      platform.requests().find(({ name }) => name === 'POST /sessions/{id}/events'),
    );
    expect(sent.body)
      .to.have.nested.property('events[0]')
      .that.deep.includes({ mode: 'deep', mentions: mentions.slice(1) });
  });
});

describe('consent in inlay-chat', () => {
  afterEach(() => {
    localStorage.removeItem('inlay:consent');
    localStorage.removeItem('inlay:consent-unsent');
  });
  const consentTo = (days: number) => ({
    text: `We keep what you say for **${days} days**.`,
    text_sha256: String(days).repeat(32),
  });
  /** The consents that the platform was sent. */
  const sentTo = (platform: TestPlatform) =>
    platform
      .requests()
      .flatMap(({ name, body }) => (name === 'POST /embed/consents' ? [body] : []));
  // Each test waits, because a later test would send what this one has not.
  const untilRecorded = (platform: TestPlatform) =>
    until('the record', () => sentTo(platform).length > 0 && unsent.items().length === 0);

  it('is required before the user can write', async () => {
    const { chat, user, platform } = setup({ consent: consentTo(30) });
    let consents = 0;
    chat.addEventListener('inlay-consent', () => {
      consents += 1;
    });
    await user.sees('30 days');
    finishAnimations(chat);
    await expectAccessible(chat);
    expect(deepAll(chat, 'textarea')).to.have.length(0);
    expect(await chat.sendMessage('Hello')).to.equal(false);
    expect(platform.requests().filter(({ name }) => name === 'POST /sessions')).to.have.length(0);

    await user.click('Accept and continue');
    await until('the composer', () => deepAll(chat, 'textarea:focus').length === 1);

    expect(consents).to.equal(1);
    await user.say('Hello');
    await until('the session', () => chat.currentSessionId);
    await untilRecorded(platform);
  });

  it('is recorded by the platform, with the hash of the text and the language of the chat', async () => {
    const { user, platform } = setup({ consent: consentTo(35) }, { language: 'de' });
    await user.click('Zustimmen und weiter');
    await untilRecorded(platform);

    expect(sentTo(platform)).to.deep.equal([{ text_sha256: '35'.repeat(32), language: 'de' }]);
  });

  it('is recorded later if there is no network, and the user can write meanwhile', async () => {
    const { chat, user, platform } = setup({ consent: consentTo(36) });
    await user.sees('36 days');
    platform.goOffline();
    await user.click('Accept and continue');
    await until('the composer', () => deepAll(chat, 'textarea').length === 1);
    expect(localStorage.getItem('inlay:consent-unsent')).to.contain('3636').and.not.contain('kim');

    platform.goOnline();
    await user.say('Hello');
    await until('the session', () => chat.currentSessionId);
    await untilRecorded(platform);
  });

  it('that was refused is sent again after the next page load, for the same user', async () => {
    const { chat, user, open, platform } = setup({ consent: consentTo(37) });
    await user.sees('37 days');
    platform.refuse('NOT_FOUND', 'POST /embed/consents');
    await user.click('Accept and continue');
    await until('the composer', () => deepAll(chat, 'textarea').length === 1);
    await until('the request', () => sentTo(platform).length === 1);
    platform.refuse(null);

    const other = open('lou');
    await other.user.click('Accept and continue');
    await until('the request', () => sentTo(platform).length === 2);
    const reloaded = open();
    await reloaded.user.sees('Hello kim');
    await untilRecorded(platform);

    expect(reloaded.user.text).not.to.contain('37 days');
    expect(sentTo(platform)).to.have.length(3);
  });

  it('is not sent to a platform that records none', async () => {
    const { user, platform } = setup({ consent: { text: 'We keep what you say.' } });
    await user.click('Accept and continue');
    await user.say('Hello');
    await until('the session', () =>
      platform.requests().some(({ name }) => name === 'POST /sessions'),
    );

    expect(sentTo(platform)).to.have.length(0);
  });

  it('is required for messages that were submitted before the settings arrived', async () => {
    const { chat, user, platform } = setup({ consent: consentTo(34) });
    const sendSettings = platform.hold('GET /embed/config');
    await until('the field', () => deepAll(chat, 'textarea').length === 1);
    user.type('Where is my order?');
    user.press('Enter');
    const isSent = chat.sendMessage('From the page');
    expect(user.field.value).to.equal('Where is my order?');

    sendSettings();
    await user.sees('34 days');

    expect(await isSent).to.equal(false);
    await user.click('Accept and continue');
    await until('the composer', () => deepAll(chat, 'textarea:focus').length === 1);
    expect(user.field.value).to.equal('Where is my order?');
    expect(platform.requests().filter(({ name }) => name === 'POST /sessions')).to.have.length(0);
    await untilRecorded(platform);
  });

  it('is requested once per user and text', async () => {
    const { chat, user, open, platform } = setup({ consent: consentTo(31) });
    await user.click('Accept and continue');
    await until('the composer', () => deepAll(chat, 'textarea').length === 1);
    await untilRecorded(platform);

    const reloaded = open();
    await reloaded.user.sees('Hello kim');
    expect(reloaded.user.text).not.to.contain('31 days');
    const other = open('lou');
    await other.user.sees('31 days');

    platform.configure({ consent: consentTo(60) });
    const changed = open();
    await changed.user.sees('60 days');
  });

  it('is requested again after the user’s data was erased, and not sent again', async () => {
    const { chat, user, open, platform } = setup({ consent: consentTo(33) });
    await user.sees('33 days');
    platform.refuse('NOT_FOUND', 'POST /embed/consents');
    await user.click('Accept and continue');
    await until('the request', () => sentTo(platform).length === 1);
    platform.refuse(null);

    expect(await chat.forgetMe()).to.equal(true);

    await user.sees('33 days');
    await open().user.sees('33 days');
    expect(unsent.items()).to.deep.equal([]);
    expect(sentTo(platform)).to.have.length(1);
  });

  it('can be given without storage', async () => {
    const setItem = Storage.prototype.setItem;
    Storage.prototype.setItem = () => {
      throw new DOMException('closed', 'SecurityError');
    };
    try {
      const { chat, user, platform } = setup({ consent: consentTo(32) });
      await user.click('Accept and continue');
      await until('the composer', () => deepAll(chat, 'textarea').length === 1);
      await untilRecorded(platform);
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });
});

describe('configure() of inlay-chat', () => {
  it('changes the heading and the density', async () => {
    const { chat, user } = await setupConversation();

    chat.configure({ heading: 'Nova', density: 'compact', follow: 'off' });
    await chat.updateComplete;

    await user.sees('Nova');
    expect(chat.getAttribute('density')).to.equal('compact');
  });

  it('applies all options, and keeps the draft', async () => {
    const { chat, user } = await setupConversation();
    user.type('half a thou');
    const modes = ['Quick', 'Thorough'].map((label) => ({ id: label, label }));
    const labels = () =>
      deepAll(chat, 'textarea, button').map((control) => control.ariaLabel ?? '');
    expect(labels()).to.include('Show conversations');

    chat.configure({
      placeholder: 'Ask us',
      colorScheme: 'dark',
      modes,
      noConversationList: true,
      messageActions: [{ id: 'pin', label: 'Pin it', run: () => null }],
      strings: { send: 'Off it goes' },
    });

    await user.sees('Thorough');
    await user.sees('Pin it');
    expect(user.field.placeholder).to.equal('Ask us');
    expect(user.field.value).to.equal('half a thou');
    expect(getComputedStyle(user.field).colorScheme).to.equal('dark');
    expect(labels()).to.include('Off it goes').and.not.to.include('Show conversations');
    chat.configure({ modes: null, noConversationList: false, strings: null });
    await until('the button', () => labels().includes('Show conversations'));
    await user.seesNo('Thorough');
  });

  it('opens another session, and applies another getToken after reset()', async () => {
    const { chat, user, platform } = await setupConversation();
    const other = platform.seed('kim', [events.user('Change my seat')]);

    chat.configure({ sessionId: other });
    await user.sees('Change my seat');

    chat.configure({ getToken: () => 'et_lee_1', sessionId: '', noResume: true });
    chat.reset();
    await user.sees('Hello lee');
    expect(user.text).not.to.contain('Change my seat');
  });

  it('throws for an unknown option, and changes no option', async () => {
    const { chat } = setup();
    const wrong = { heading: 'Nova', colour: 'red' } as object;

    expect(() => chat.configure(wrong)).to.throw('no option “colour”');
    expect(chat.heading).to.equal('');
  });
});
