import '../../define-all.ts';
import { createScriptedPlatform } from '@inlay/client/testing';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** Mounts a chat with a client tool that needs approval, and lets the agent call it. */
async function setup() {
  const name = crypto.getRandomValues(new Uint32Array(2)).join('x');
  const platform = createScriptedPlatform({
    baseUrl: `${location.origin}/platform-${name}`,
    answer: [
      {
        call: 'delete_draft',
        input: { title: 'Summer' },
        runs_on: 'page',
        permission: 'ask',
        explanation: 'Deletes the draft “Summer”.',
      },
      { say: 'I received: {result}' },
    ],
  });
  cleanups.push(platform.interceptFetch());
  const calls: unknown[] = [];
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, {
    baseUrl: platform.baseUrl,
    getToken: () => platform.issue('ada').token,
    tools: { delete_draft: (input: unknown) => `${calls.push(input)} deleted` },
  });
  chat.style.height = '600px';
  const user = new User(mount(chat));
  cleanups.push(() => chat.remove());
  await until('the field', () => deepAll(chat, 'textarea').length > 0);
  await user.say('Tidy up');
  await user.sees('Needs your approval');
  return { chat, user, platform, calls };
}

describe('inlay-chat with a client tool that needs approval', () => {
  it('shows the explanation of the call, and asks for approval, before it calls the tool', async () => {
    const { chat, user, calls } = await setup();

    expect(user.text).to.contain('Deletes the draft “Summer”.').and.to.contain('Summer');
    finishAnimations(chat);
    await expectAccessible(chat);
    expect(calls).to.deep.equal([]);
  });

  it('calls the tool after the user has allowed the call, and shows the result', async () => {
    const { chat, user, calls } = await setup();

    await user.click('Allow');
    await user.sees('I received: 1 deleted');

    expect(calls).to.deep.equal([{ title: 'Summer' }]);
    expect(user.text).to.contain('You allowed this.');
    expect(deepAll(chat, '.spinner')).to.have.length(0);
  });

  it('never calls the tool if the user denies the call, and informs the agent', async () => {
    const { user, calls, platform } = await setup();

    await user.click('Deny');
    await user.click('Deny');
    await user.sees('I received: The user did not allow this call.');

    expect(calls).to.deep.equal([]);
    const results = platform.session().log.filter(({ type }) => type === 'user.custom_tool_result');
    expect(results).to.deep.equal([]);
  });

  it('does not call the tool if the user sends a message instead', async () => {
    const { user, calls, platform } = await setup();
    platform.answer = 'As you like.';

    await user.say('Never mind');
    await user.sees('As you like.');
    await until('the end of the question', () => !user.text.includes('Needs your approval'));

    expect(calls).to.deep.equal([]);
  });
});
