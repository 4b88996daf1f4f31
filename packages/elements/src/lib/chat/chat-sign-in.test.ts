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
  it('asks the endpoint with a POST, and talks as who is signed in', async () => {
    const { chat, platform, user, calls } = await setup('kim', { tokenUrl: '' });
    chat.setAttribute('token-url', platform.tokenUrl);

    await user.sees('Hello kim');

    expect(await calls('POST token')).to.equal(1);
  });

  it('comes before publishable-key, and after getToken', async () => {
    const keyed = await setup(null, { publishableKey: 'pk_demo' });
    await keyed.user.sees('Sign in to chat');
    expect(await keyed.calls('POST /embed_tokens/anonymous')).to.equal(0);

    const given = await setup('kim', { getToken: () => 'et_lee_1' });
    await given.user.sees('Hello lee');
    expect(await given.calls('POST token')).to.equal(0);
  });

  it('fetches the next token through it when one is revoked', async () => {
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

describe('inlay-chat, where no first token can be had', () => {
  it('does not speak of a session that ended, and tells the page what stands in the way', async () => {
    const told: string[] = [];
    const { chat, user } = await setup('kim', { getToken: () => 'not a token' });
    chat.addEventListener('inlay-error', (event) => told.push(event.detail.code));

    await user.sees('The chat can’t start just now');

    expect(user.text).not.to.contain('Your session has ended');
    expect(told).to.contain('INVALID_TOKEN_FROM_HOST');
  });
});

describe('inlay-chat, where nobody is signed in', () => {
  it('says that one has to sign in, and not that something was taken away', async () => {
    const { user } = await setup(null);

    await user.sees('Sign in to chat');

    expect(user.text).not.to.contain('Your access has ended');
    expect(user.field.readOnly).to.equal(true);
  });

  it('goes on once somebody is', async () => {
    const { chat, platform, user } = await setup(null);
    await user.sees('Sign in to chat');

    await platform.signIn('kim');
    await user.click('Try again');

    await user.sees('Hello kim');
    await until('the banner to go', () => deepAll(chat, '.banner').length === 0);
    expect(user.field.readOnly).to.equal(false);
  });

  it('begins anew with reset, and what is said then is answered', async () => {
    const { chat, platform, user } = await setup(null, { noResume: true });
    await user.sees('Sign in to chat');

    await platform.signIn('kim');
    chat.reset();
    await user.sees('Hello kim');

    expect(await chat.sendMessage('Hi')).to.equal(true);
    await platform.append({ type: 'agent.message', content: [{ type: 'text', text: 'Hi, Kim.' }] });
    await user.sees('Hi, Kim.');
  });

  it('says the same after the one who was signed in has left', async () => {
    const { chat, platform, user } = await setup('kim', { noResume: true });
    await user.sees('Hello kim');

    await platform.signIn(null);
    chat.reset();

    await user.sees('Sign in to chat');
    expect(user.text).not.to.contain('Hello kim');
  });
});
