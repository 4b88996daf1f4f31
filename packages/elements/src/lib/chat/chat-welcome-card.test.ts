import '../../define-all.ts';
import type { Card } from '@inlay/protocol';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, type TestPlatform, testPlatform } from '../testing/platform.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

const card: Card = {
  title: 'Before we start',
  blocks: [
    { type: 'field', name: 'email', label: 'E-mail', kind: 'email', required: true },
    { type: 'buttons', buttons: [{ label: 'Start', action: 'start', style: 'primary' }] },
  ],
};
const answer = { action: 'start', values: { email: 'ada@example.com' } };

async function setup(platform = testPlatform({ welcome: { card } }), options = {}) {
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1', ...options });
  mount(chat);
  await until('the card', () => fieldOf(chat));
  return { platform, chat, user: new User(chat) };
}

const fieldOf = (chat: InlayChat) => deepAll<HTMLInputElement>(chat, 'input[type=email]')[0];

function fill(chat: InlayChat, text: string) {
  const field = fieldOf(chat);
  if (!field) throw new Error('There is no e-mail field.');
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

const creations = (platform: TestPlatform) =>
  platform.requests().filter(({ name }) => name === 'POST /sessions');

describe('inlay-chat with a welcome card', () => {
  it('shows it between greeting and suggestions, and passes the accessibility audit', async () => {
    const { chat, user } = await setup();

    expect(user.text).to.match(/Hello kim .*Before we start .*Start .*Where is my order\?/);
    await expectAccessible(chat);
  });

  it('starts the conversation with the answer, which then stands in the conversation', async () => {
    const { platform, chat, user } = await setup();
    const reported: unknown[] = [];
    chat.addEventListener('inlay-card', ({ detail }) => reported.push(detail));
    const release = platform.hold('POST /sessions');
    fill(chat, 'ada@example.com');
    await user.click('Start');
    await until('the busy form', () => deepAll(chat, 'form[aria-busy=true]')[0]);

    expect(fieldOf(chat)?.disabled).to.equal(true);
    release();
    await until('the end of the welcome screen', () => !fieldOf(chat));
    platform.append(events.running(), events.agent('Hello Ada.'), events.idle());
    await user.sees('Hello Ada.');

    await user.sees('E-mail ada@example.com');
    expect(reported).to.deep.equal([{ id: 'welcome', ...answer }]);
    expect(creations(platform).map(({ body }) => body)).to.deep.equal([
      { initial_events: [{ type: 'user.card_action', card_id: 'welcome', ...answer }] },
    ]);
  });

  it('offers no retry of its answer, because there is no message to send again', async () => {
    const { platform, chat, user } = await setup();
    fill(chat, 'ada@example.com');
    await user.click('Start');
    await until('the end of the welcome screen', () => !fieldOf(chat));
    const retries = () => ['Regenerate', 'Try again'].flatMap((name) => user.buttons(name));

    platform.append(events.running(), events.agent('Hello Ada.'), events.idle());
    await user.sees('Hello Ada.');
    expect(retries()).to.deep.equal([]);
    const error = { type: 'model_request_failed_error', message: 'It failed.' };
    platform.append({
      type: 'session.error',
      error: { ...error, retry_status: { type: 'exhausted' } },
    });
    await user.sees('couldn’t answer');

    expect(retries()).to.deep.equal([]);
  });

  it('announces that the answer was sent', async () => {
    const { chat, user } = await setup();
    fill(chat, 'ada@example.com');

    await user.click('Start');

    await until('the announcement', () =>
      deepAll(chat, '[aria-live]').some(({ textContent }) => textContent?.includes('Sent')),
    );
  });

  it('shows an invalid field, and sends nothing', async () => {
    const { platform, chat, user } = await setup();
    fill(chat, 'ada');

    await user.click('Start');
    await user.sees('Enter an email address');

    expect(deepAll(chat, 'input:focus')).to.deep.equal([fieldOf(chat)]);
    expect(creations(platform)).to.deep.equal([]);
  });

  it('keeps the values if the answer is rejected, and can be sent again', async () => {
    const { platform, chat, user } = await setup();
    fill(chat, 'ada@example.com');
    platform.refuse('VALIDATION_ERROR');
    await user.click('Start');
    await user.sees('Not sent');

    expect(fieldOf(chat)?.value).to.equal('ada@example.com');
    platform.refuse(null);
    await user.click('Start');

    await until('the end of the welcome screen', () => !fieldOf(chat));
    await user.sees('E-mail ada@example.com');
  });

  it('sends the answer when the network returns', async () => {
    const { platform, chat, user } = await setup();
    fill(chat, 'ada@example.com');
    platform.goOffline();
    await user.click('Start');
    await user.sees('Reconnecting');

    platform.goOnline();
    await user.click('Reconnect now');

    await user.sees('E-mail ada@example.com');
  });

  it('is disabled until the user has consented, and while the page disables the chat', async () => {
    const platform = testPlatform({ welcome: { card }, consent: { text: 'An AI answers.' } });
    const { chat, user } = await setup(platform);
    expect(fieldOf(chat)?.disabled).to.equal(true);

    await user.click('Accept and continue');
    await until('the field', () => fieldOf(chat)?.disabled === false);

    Object.assign(chat, { disabled: true, disabledReason: 'Closed until Monday' });
    await until('the disabled field', () => fieldOf(chat)?.disabled);
    expect(user.text).to.contain('Closed until Monday');
  });

  it('is not sent if the page prevents `inlay-card-request`', async () => {
    const { platform, chat, user } = await setup();
    chat.addEventListener('inlay-card-request', (event) => event.preventDefault());
    fill(chat, 'ada@example.com');

    await user.click('Start');

    expect(fieldOf(chat)?.disabled).to.equal(false);
    expect(creations(platform)).to.deep.equal([]);
  });

  it('gives way to a message of the user, and returns in a new conversation', async () => {
    const { chat, user } = await setup();

    await user.say('Hello?');
    await until('the end of the welcome screen', () => !fieldOf(chat));

    chat.newConversation();
    await until('the card', () => fieldOf(chat));
    expect(fieldOf(chat)?.value).to.equal('');
  });

  it('shows the accepted answer, and says so, if two chats answer it in one empty conversation', async () => {
    const platform = testPlatform({ welcome: { card } });
    const sessionId = platform.seed('kim', []);
    const first = await setup(platform, { sessionId });
    const second = await setup(platform, { sessionId });
    fill(first.chat, 'ada@example.com');
    fill(second.chat, 'bob@example.com');
    const release = platform.hold('POST /sessions/{id}/events');
    await first.user.click('Start');
    await second.user.click('Start');

    release();

    await Promise.all([first, second].map(({ user }) => user.sees('E-mail ada@example.com')));
    await second.user.sees('answered');
  });
});
