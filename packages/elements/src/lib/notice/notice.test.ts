import '../../define.ts';
import type { NoticeEntry } from '@inlay/client';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { User } from '../testing/user.ts';

async function setup(rest: Partial<NoticeEntry> = {}, last = true) {
  const element = mount(document.createElement('inlay-notice'));
  Object.assign(element, { entry: entries.notice('n', rest), last });
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-notice', () => {
  it('passes the accessibility audit', async () => {
    await expectAccessible((await setup()).element);
  });

  it('says what failed in our words, also for a code that it does not know', async () => {
    expect((await setup()).user.text).to.contain('could not answer');
    expect((await setup({ code: 'constructor' })).user.text).to.contain('could not be finished');
  });

  it('offers to try again where that can help, and only at the end', async () => {
    const { element, user } = await setup();
    let asked = 0;
    element.addEventListener('inlay-retry-last', () => {
      asked += 1;
    });
    await user.click('Try again');
    expect(asked).to.equal(1);

    expect((await setup({ retryable: false })).user.buttons('Try again')).to.have.length(0);
    expect((await setup({}, false)).user.buttons('Try again')).to.have.length(0);
  });
});
