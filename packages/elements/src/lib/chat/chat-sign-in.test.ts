import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { testPlatform } from '../testing/platform.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayChat } from './chat.ts';

async function setup(signedIn: string | null, options: Partial<InlayChat> = {}) {
  const platform = testPlatform();
  await platform.signIn(signedIn);
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, tokenUrl: platform.tokenUrl }, options);
  mount(chat);
  const calls = async (name: string) =>
    (await platform.requests()).filter((request) => request.name === name).length;
  return { chat, platform, user: new User(chat), calls };
}

describe('inlay-chat with token-url', () => {
  it('fetches a token by POST and acts as the signed-in user', async () => {
    const { chat, platform, user, calls } = await setup('kim', { tokenUrl: '' });
    chat.setAttribute('token-url', platform.tokenUrl);

    await user.sees('Hello kim');

    expect(await calls('POST token')).to.equal(1);
  });

  it('ignores publishable-key if token-url is set, and token-url if getToken is set', async () => {
    const withKey = await setup(null, { publishableKey: 'pk_demo' });
    await withKey.user.sees('Sign in to chat');
    expect(await withKey.calls('POST /embed_tokens/anonymous')).to.equal(0);

    const withGetToken = await setup('kim', { getToken: () => 'et_lee_1' });
    await withGetToken.user.sees('Hello lee');
    expect(await withGetToken.calls('POST token')).to.equal(0);
  });

  it('fetches another token after a revocation', async () => {
    const { chat, platform, user, calls } = await setup('kim', { noResume: true });
    await user.sees('Hello kim');
    await user.say('Hi');
    await until('the stream', async () => (await platform.streams()) === 1);
    const before = await calls('POST token');

    await platform.revokeTokens();

    await until('another token', async () => (await calls('POST token')) === before + 1);
    await until('the stream', async () => (await platform.streams()) === 1);
    expect(await chat.sendMessage('Still here')).to.equal(true);
  });
});

describe('inlay-chat without a first token', () => {
  it('shows “Chat is unavailable right now”, not “Your session has ended”, and dispatches inlay-error', async () => {
    const errors: string[] = [];
    const { chat, user } = await setup('kim', { getToken: () => 'not a token' });
    chat.addEventListener('inlay-error', (event) => errors.push(event.detail.code));

    await user.sees('Chat is unavailable right now');

    expect(user.text).not.to.contain('Your session has ended');
    expect(errors).to.contain('INVALID_TOKEN_FROM_HOST');
  });
});

describe('inlay-chat without a signed-in user', () => {
  it('asks the user to sign in, and shows no revocation', async () => {
    const { user } = await setup(null);

    await user.sees('Sign in to chat');

    expect(user.text).not.to.contain('Your access has ended');
    expect(user.field.readOnly).to.equal(true);
  });

  it('greets a user who signs in and clicks “Try again”', async () => {
    const { chat, platform, user } = await setup(null);
    await user.sees('Sign in to chat');

    await platform.signIn('kim');
    await user.click('Try again');

    await user.sees('Hello kim');
    await until('the banner to go', () => deepAll(chat, ':not([inert]) > .banner').length === 0);
    expect(user.field.readOnly).to.equal(false);
  });

  it('sends and receives messages after a sign-in and reset()', async () => {
    const { chat, platform, user } = await setup(null, { noResume: true });
    await user.sees('Sign in to chat');

    await platform.signIn('kim');
    chat.reset();
    await user.sees('Hello kim');

    expect(await chat.sendMessage('Hi')).to.equal(true);
    await platform.append({ type: 'agent.message', content: [{ type: 'text', text: 'Hi, Kim.' }] });
    await user.sees('Hi, Kim.');
  });

  it('asks the user to sign in after a sign-out and reset(), and shows nothing of the previous user', async () => {
    const { chat, platform, user } = await setup('kim', { noResume: true });
    await user.sees('Hello kim');

    await platform.signIn(null);
    chat.reset();

    await user.sees('Sign in to chat');
    expect(user.text).not.to.contain('Hello kim');
  });
});
