import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
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

  it('says once that the limit is reached, stops sending and offers a new conversation', async () => {
    const { chat, user, platform } = await setupConversation();
    const error = { type: 'billing_error', message: '', retry_status: { type: 'terminal' } };
    platform.append(
      events.running(),
      events.agent('Done.'),
      { type: 'session.error', error: { ...error, code: 'EMBED_BUDGET_EXCEEDED' } },
      endOfRun(1),
    );

    await user.sees('You’ve reached this chat’s limit');
    await user.seesNo('You’ve reached this conversation’s limit.');
    user.type('And now?');
    await nextFrame();
    expect(deepAll(chat, 'inlay-quota')).to.have.length(0);
    expect(user.buttons('Send')[0]?.disabled).to.equal(true);
    expect(user.buttons('Try again')).to.have.length(0);
    expect(user.field.placeholder).to.equal('You can keep writing. Sending is paused.');
    finishAnimations(chat);
    await expectAccessible(chat);

    await user.click('New conversation');
    await user.seesNo('You’ve reached this chat’s limit');
    expect(user.buttons('Send')[0]?.disabled).to.equal(false);
  });

  it('returns a message that exceeds the limit to the text field', async () => {
    const { user, platform } = await setupConversation();
    platform.refuse('EMBED_QUOTA_EXCEEDED');

    await user.say('And now?');

    await user.sees('You can use this chat again from');
    await until('the text', () => user.field.value === 'And now?');
    expect(user.text).not.to.contain('Not sent');
    expect(user.buttons('Try again')).to.have.length(0);
  });

  it('sends again after the time at which the quota of the day resets', async () => {
    const { user, platform } = await setupConversation();
    const resets_at = new Date(Date.now() + 2_000).toISOString();
    platform.append(events.running(), events.agent('Done.'), {
      ...events.idle(),
      allowances: [{ type: 'day', used: 1, resets_at }],
    });
    await user.sees('You can use this chat again from');

    await user.seesNo('You can use this chat again from');
    expect(user.text).not.to.contain('of today’s limit');
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

  it('keeps the draft, shows answers and says once why the page has disabled the chat', async () => {
    const { chat, user, platform } = await setupConversation();
    user.type('And now?');

    chat.configure({ disabled: true, disabledReason: 'We are back at 9:00.' });

    await user.sees('We are back at 9:00. Your draft is saved.');
    const announced = () =>
      deepAll(chat, '[aria-live] p').filter(({ textContent }) => textContent?.includes('9:00'));
    await until('the announcement', () => announced().length > 0);
    expect(user.field.readOnly).to.equal(true);
    expect(user.field.value).to.equal('And now?');
    expect(await chat.sendMessage('Hello?')).to.equal(false);
    platform.append(events.running(), events.agent('It has arrived.'), events.idle());
    await user.sees('It has arrived.');
    expect(announced()).to.have.length(1);
    finishAnimations(chat);
    await expectAccessible(chat);

    chat.disabled = false;
    await user.seesNo('We are back at 9:00.');
    expect(user.field.readOnly).to.equal(false);
    expect(user.field.value).to.equal('And now?');
  });
});
