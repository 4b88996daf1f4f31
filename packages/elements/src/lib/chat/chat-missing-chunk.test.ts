import { defineChat } from '../tags.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { User, until } from '../testing/user.ts';

describe('inlay-chat without its message list chunk', () => {
  const define = customElements.define.bind(customElements);
  let reachable = false;

  before(() => {
    customElements.define = (tag, element, options) => {
      if (tag === 'inlay-message-list' && !reachable) throw new Error('no network');
      define(tag, element, options);
    };
    defineChat();
  });

  after(() => {
    customElements.define = define;
  });

  it('shows messages as plain text, and renders the list after “Try again”', async () => {
    const platform = testPlatform();
    const chat = document.createElement('inlay-chat');
    Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' });
    mount(chat);
    const user = new User(chat);
    await user.sees('Hello kim');

    await user.say('Where is my order?');
    await until('the session', () => chat.currentSessionId);
    await platform.append(events.running(), events.agent('On its way.'), events.idle());
    await user.sees('On its way.');

    expect(user.text).to.contain('Where is my order?').and.not.to.contain('Hello kim');
    expect(customElements.get('inlay-message-list')).to.equal(undefined);

    await user.sees('Part of the chat couldn’t be loaded.');

    reachable = true;
    await user.click('Try again');
    await until('the list', () => customElements.get('inlay-message-list'));
    await user.seesNo('couldn’t be loaded');
    await user.say('Thanks');
    const list = chat.shadowRoot?.querySelector('inlay-message-list');
    await until('the rows', () => list?.shadowRoot?.querySelectorAll('.row').length === 3);
  });
});
