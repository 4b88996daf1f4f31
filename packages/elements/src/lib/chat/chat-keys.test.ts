import '../../define-all.ts';
import { sendKeys } from '@web/test-runner-commands';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';

async function setup() {
  const platform = testPlatform({
    features: { attachments: false, feedback: true, threads: true },
  });
  const sessionId = platform.seed('kim', [
    events.user('Where is it?'),
    events.running(),
    events.agent('See [the map](https://example.com/map).'),
    events.idle(),
  ]);
  const chat = document.createElement('inlay-chat');
  Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1', sessionId });
  chat.style.cssText = 'display: block; inline-size: 400px; block-size: 600px';
  const user = new User(mount(chat));
  await user.sees('the map');
  finishAnimations(chat);
  user.field.focus();
  /** Accessible name of the focused element. */
  const focused = () => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const name = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    return name.replace(/, .*/, '').trim();
  };
  const press = async (key: string, expected: string) => {
    await sendKeys({ press: key });
    await until(
      () => `the focus on “${expected}” after ${key}, not on “${focused()}”`,
      () => focused() === expected,
    );
  };
  return { chat, user, press };
}

describe('the keys of inlay-chat', () => {
  it('reach each message in one stop, its content with Enter, and leave it with Escape', async () => {
    const { chat, press } = await setup();

    await press('Shift+Tab', 'Ada');
    await press('Shift+Tab', 'You');
    await press('Tab', 'Ada');
    await press('Enter', 'the map');
    await press('Tab', 'Copy message');
    await press('Escape', 'Ada');
    await press('Tab', 'Message Ada');
    await press('Shift+Tab', 'Ada');
    await press('Escape', 'Message Ada');
    await expectAccessible(chat);
  });

  it('move between title bar, messages and text field with F6', async () => {
    const { press } = await setup();

    await press('F6', 'Show conversations');
    await press('F6', 'Conversation');
    await press('F6', 'Message Ada');
    await press('Shift+F6', 'Conversation');
    await press('Shift+F6', 'Show conversations');
    await press('Shift+F6', 'Message Ada');
  });

  it('find a heading for each message, and links that say that they open a new tab', async () => {
    const { chat } = await setup();

    const headings = deepAll(chat, 'inlay-message-list h3').concat(
      ...['inlay-user-message', 'inlay-agent-message'].map((tag) =>
        deepAll(chat, tag).flatMap((message) => deepAll(message, 'h3')),
      ),
    );
    expect(headings.map(({ innerText }) => innerText)).to.deep.equal(['You said', 'Ada said']);
    const [link] = deepAll(chat, 'a');
    const root = link?.getRootNode();
    const id = link?.getAttribute('aria-describedby') ?? '';
    const note = root instanceof ShadowRoot ? root.getElementById(id) : null;
    expect(note?.textContent).to.equal('opens in a new tab');
  });
});
