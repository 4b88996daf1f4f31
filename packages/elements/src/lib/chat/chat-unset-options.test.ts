import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, User, until } from '../testing/user.ts';

/** Options without `base-url` and the source of tokens. Frameworks set an option to undefined to unset it. */
const unsetOptions = {
  ...{ publishableKey: undefined, tokenUrl: undefined, client: undefined, sessionId: undefined },
  ...{ noResume: undefined, visitorStorage: undefined, draftStorage: undefined },
  ...{ heading: undefined, placeholder: undefined, colorScheme: undefined, density: undefined },
  ...{ follow: undefined, announce: undefined, noDictation: undefined, tools: undefined },
  ...{
    noReadAloud: undefined,
    noConversationList: undefined,
    commands: undefined,
    findMentions: undefined,
  },
  ...{ modes: undefined, mode: undefined, messageActions: undefined, language: undefined },
  ...{ strings: undefined, renderers: undefined },
};

const fieldOf = (chat: Element) => deepAll<HTMLTextAreaElement>(chat, 'textarea')[0];

describe('unset options', () => {
  it('of the chat have their defaults', async () => {
    const platform = testPlatform();
    const chat = document.createElement('inlay-chat');
    Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1', ...unsetOptions });
    mount(chat);
    const user = new User(chat);
    await user.sees('Hello kim');
    await user.say('Where is it?');
    await until('the session', () => chat.currentSessionId);
    await platform.append(events.running(), events.agent('On its *way*.'), events.idle());
    await user.sees('On its way.');
    const [actions] = await until('the buttons', () => deepAll(chat, 'inlay-answer-actions'));

    const count = 'speechSynthesis' in globalThis ? 4 : 3;
    expect(actions?.shadowRoot?.querySelectorAll('button')).to.have.length(count);
    expect(deepAll(chat, 'inlay-message-list')[0]).to.have.property('follow', 'bottom');
    await until('the announcement', () =>
      deepAll(chat, '[role=log], [aria-live]').some((each) => /On its way/.test(each.textContent)),
    );
  });

  it('of the launcher have their defaults', async () => {
    const launcher = document.createElement('inlay-launcher');
    Object.assign(launcher, { offsetInline: 40, placement: 'top-start' });
    mount(launcher);
    await launcher.updateComplete;
    launcher.removeAttribute('placement');
    Object.assign(launcher, { offsetInline: undefined, offsetBlock: undefined });
    await launcher.updateComplete;

    const bubble = launcher.shadowRoot?.querySelector('.bubble');
    const { right, bottom } = bubble?.getBoundingClientRect() ?? {};
    const { clientWidth, clientHeight } = document.documentElement;
    expect([right, bottom]).to.deep.equal([clientWidth - 20, clientHeight - 20]);
  });

  it('include getToken: the chat changes to the signed-in user when it is set, and back', async () => {
    const platform = testPlatform();
    const chat = document.createElement('inlay-chat');
    const options = { baseUrl: platform.baseUrl, publishableKey: 'pk_demo', getToken: undefined };
    Object.assign(chat, options);
    mount(chat);
    const users: string[] = [];
    chat.addEventListener('inlay-ready', ({ detail }) => users.push(detail.externalUserId));
    await until('the visitor', () => users.length === 1 && fieldOf(chat));
    chat.getToken = () => 'et_kim_1';
    await until('the signed-in user', () => users.length === 2);
    Object.assign(chat, { getToken: undefined });
    await until('the visitor', () => users.length === 3);

    expect(users[1]).to.equal('kim');
    expect(users[0]).to.match(/^anon_/);
    expect(users[2]).to.equal(users[0]);
  });
});
