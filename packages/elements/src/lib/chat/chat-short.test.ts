import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';

describe('a chat of little height', () => {
  it('leaves more than half of it to the messages, as in a window at 400 % zoom', async () => {
    const platform = testPlatform();
    const sessionId = platform.seed('kim', [
      events.user('Where is it?'),
      events.running(),
      events.agent('On its way.'),
      events.idle(),
    ]);
    const chat = document.createElement('inlay-chat');
    Object.assign(chat, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1', sessionId });
    chat.style.cssText = 'display: block; inline-size: 360px; block-size: 600px; min-block-size: 0';
    const user = new User(mount(chat));
    await user.sees('On its way.');
    expect(user.text).to.contain('Orders and returns').and.to.contain('Ada can make mistakes.');

    chat.style.blockSize = '225px';
    user.type('One line\nand another\nand a third');
    await user.seesNo('Orders and returns');
    finishAnimations(chat);

    expect(user.text).not.to.contain('Ada can make mistakes.');
    const list = await until('the list', () => deepAll(chat, '[role=log]')[0]);
    await until(
      () => `more than half for the messages, not ${list.clientHeight} px`,
      () => list.clientHeight > 113,
    );
    await expectAccessible(chat);

    chat.style.blockSize = '600px';
    await user.sees('Orders and returns');
  });
});
