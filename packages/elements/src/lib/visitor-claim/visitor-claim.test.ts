import '../../define-all.ts';
import type { InlayChat } from '../chat/chat.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, User, until } from '../testing/user.ts';

const question = 'Keep the conversation from before you signed in?';
const features = { attachments: false, feedback: true, threads: true, visitor_claim: true };

/** Mounts a chat of a visitor who has written, and signs the user in. */
async function setup({ written = true } = {}) {
  const platform = testPlatform({ features });
  const key = `inlay:visitor:${platform.baseUrl}:pk_demo`;
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, publishableKey: 'pk_demo' });
  mount(chat);
  const user = new User(chat);
  await user.sees('Hello visitor');
  if (written) {
    await user.say('Where is my parcel?');
    await until('the session', () => chat.currentSessionId !== null);
    platform.append(events.running(), events.agent('In the depot.'), events.idle());
    await user.sees('In the depot.');
  }
  const signIn = async (name: string) => {
    chat.getToken = () => `et_${name}_1`;
    await user.sees(`Hello ${name}`);
  };
  return { chat, key, platform, user, signIn };
}

const isAsked = (chat: InlayChat) => deepAll(chat, 'inlay-visitor-claim').length > 0;

describe('inlay-visitor-claim', () => {
  afterEach(() => localStorage.clear());

  it('moves the conversation to the user who says yes, and opens it', async () => {
    const { chat, key, user, signIn } = await setup();
    const sessionId = chat.currentSessionId;

    await signIn('kim');
    await user.sees(question);
    expect(user.text).not.to.contain('In the depot.');
    await expectAccessible(chat);
    await user.click('Yes');

    await user.sees('In the depot.');
    expect(chat.currentSessionId).to.equal(sessionId);
    expect(isAsked(chat)).to.equal(false);
    expect(localStorage.getItem(key)).to.equal(null);
  });

  it('leaves the conversation that the user has begun meanwhile on the screen', async () => {
    const { chat, platform, user, signIn } = await setup();
    await signIn('kim');
    await user.sees(question);
    await user.say('Something else');
    await until('the session', () => chat.currentSessionId !== null);
    const { currentSessionId } = chat;
    await user.click('Show conversations');
    await user.sees('Something else');

    await user.click('Yes');

    await user.sees('Where is my parcel?');
    expect(chat.currentSessionId).to.equal(currentSessionId);
    expect(
      (await platform.requests()).filter(({ name }) => name === 'POST /embed/claim'),
    ).to.have.length(2);
  });

  it('deletes the secret of a user who says no, and does not ask the next user', async () => {
    const { chat, key, platform, user, signIn } = await setup();
    await signIn('kim');
    await user.sees(question);

    await user.click('No');

    await until('the answer', () => !isAsked(chat));
    expect(localStorage.getItem(key)).to.equal(null);
    chat.getToken = () => 'et_lee_1';
    chat.reset();
    await user.sees('Hello lee');
    expect(isAsked(chat)).to.equal(false);
    expect((await platform.requests()).map(({ body }) => body.dry_run)).not.to.contain(false);
  });

  it('removes the question of the previous user, and asks the next one', async () => {
    const { chat, user, signIn } = await setup();
    await signIn('kim');
    await user.sees(question);

    chat.getToken = () => 'et_lee_1';
    chat.reset();
    await chat.updateComplete;

    expect(isAsked(chat)).to.equal(false);
    await user.sees('Hello lee');
    await user.sees(question);
  });

  it('lets the user try again after a failure', async () => {
    const { chat, platform, user, signIn } = await setup();
    await signIn('kim');
    await user.sees(question);
    platform.refuse('INTERNAL_ERROR');
    await user.click('Yes');
    await user.sees('Something went wrong. Try again.');
    platform.refuse(null);

    await user.click('Yes');

    await user.sees('In the depot.');
    expect(isAsked(chat)).to.equal(false);
  });

  it('asks nothing if the visitor has not written', async () => {
    const { chat, platform, signIn } = await setup({ written: false });
    await signIn('kim');

    await until('the request', async () =>
      (await platform.requests()).some(({ name }) => name === 'POST /embed/claim'),
    );
    expect(isAsked(chat)).to.equal(false);
  });
});
