import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';

/** Mounts a chat with a conversation. */
async function setupConversation() {
  const platform = testPlatform();
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' });
  chat.style.height = '600px';
  const user = new User(mount(chat));
  await user.sees('Hello kim');
  await user.say('Where is my order?');
  await until('the session', () => chat.currentSessionId);
  await platform.append(events.running(), events.agent('On its way.'), events.idle());
  await user.sees('On its way.');
  return { chat, user, platform };
}

/** End of a run, with the used share of the session's budget. */
const endOfRun = (share: number) => ({
  ...events.idle(),
  allowances: [{ type: 'session', used: share, resets_at: null }],
});

describe('inlay-chat', () => {
  it('shows suggestions after a message is complete, and sends the chosen suggestion', async () => {
    const { chat, user, platform } = await setupConversation();
    platform.append(
      events.running(),
      events.agent('It left Basel.'),
      { type: 'agent.suggestions', prompts: [{ label: 'When is it here?' }] },
      events.idle(),
    );
    await user.sees('When is it here?');
    finishAnimations(chat);
    await expectAccessible(chat);

    await user.click('When is it here?');
    await until('the message', () =>
      platform.requests().some(({ body }) => JSON.stringify(body).includes('When is it here?')),
    );
    await until('the proposals to go', () => deepAll(chat, 'inlay-suggestions').length === 0);
  });

  it('shows the used share of the session’s budget at 87%, but not at 50%', async () => {
    const { chat, user, platform } = await setupConversation();
    platform.append(events.running(), events.agent('One.'), endOfRun(0.5));
    await user.sees('One.');
    expect(deepAll(chat, 'inlay-quota')).to.have.length(0);

    platform.append(events.running(), events.agent('Two.'), endOfRun(0.87));

    await user.sees('You’ve used 87% of this conversation’s limit.');
    finishAnimations(chat);
    await expectAccessible(chat);
  });

  it('hides the used share when an error message says that the limit is reached', async () => {
    const { chat, user, platform } = await setupConversation();
    platform.append(events.running(), events.agent('Done.'), endOfRun(1));
    await user.sees('You’ve used 100% of this conversation’s limit.');

    const error = { type: 'billing_error', message: '', retry_status: { type: 'terminal' } };
    platform.append(
      events.user('And now?'),
      events.running(),
      { type: 'session.error', error: { ...error, code: 'EMBED_BUDGET_EXCEEDED' } },
      endOfRun(1),
    );

    await user.sees('This conversation has reached its limit.');
    await until('the meter to go', () => deepAll(chat, 'inlay-quota').length === 0);
  });

  it('shows why a conversation was terminated, and offers a new conversation', async () => {
    const { chat, user, platform } = await setupConversation();

    platform.append({
      type: 'session.status_terminated',
      reason: 'Your case is solved. Thank you!',
    });

    await user.sees('Your case is solved. Thank you!');
    finishAnimations(chat);
    await expectAccessible(chat);
    await user.click('New conversation');
    await user.sees('Hello kim');
  });

  it('moves the draft of a conversation that was terminated to a new conversation', async () => {
    const { chat, user, platform } = await setupConversation();
    const sessionId = chat.currentSessionId ?? '';
    platform.append({ type: 'session.status_terminated' });
    await user.sees('This conversation has ended');
    user.type('And my refund?');
    await user.sees('Your draft is saved.');

    await user.click('New conversation');

    await user.sees('Hello kim');
    await until('the draft', () => user.field.value === 'And my refund?');
    chat.openConversation(sessionId);
    await user.sees('On its way.');
    expect(user.field.value).to.equal('');
  });
});
