import '../../define.ts';
import type { ToolEntry } from '@inlay/client';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';

async function setup(rest: Partial<ToolEntry> = {}) {
  const element = mount(document.createElement('inlay-tool-call'));
  element.entry = entries.tool('t1', rest);
  await element.updateComplete;
  const decisions: unknown[] = [];
  element.addEventListener('inlay-decide', ({ detail }) => decisions.push(detail));
  return { element, user: new User(element), decisions };
}

describe('inlay-tool-call', () => {
  it('passes the accessibility audit, done and asking', async () => {
    await expectAccessible((await setup()).element);
    await expectAccessible((await setup({ progress: 'approval', result: null })).element);
  });

  it('says which tool, with its name as words, and what came of it', async () => {
    const { user } = await setup();

    expect(user.text).to.contain('Look up order').and.to.contain('Done');
    expect(user.text).to.contain('"order": "10482"').and.to.contain('shipped');
  });

  it('asks for approval with the input in view, and tells that it was given', async () => {
    const { element, user, decisions } = await setup({ progress: 'approval', result: null });

    expect(deepAll(element, 'details')[0]?.hasAttribute('open')).to.equal(true);
    await user.click('Allow');

    expect(decisions).to.deep.equal([{ key: 't1', result: 'allow', reason: '' }]);
    expect(user.buttons('Allow')[0]?.disabled).to.equal(true);
  });

  it('takes a reason with a denial', async () => {
    const { element, user, decisions } = await setup({ progress: 'approval', result: null });
    await user.click('Deny');
    const [field] = deepAll<HTMLInputElement>(element, 'input');
    if (field) field.value = ' Wrong order ';

    await user.click('Deny');

    expect(decisions).to.deep.equal([{ key: 't1', result: 'deny', reason: 'Wrong order' }]);
  });

  it('takes no decision while the person may not talk', async () => {
    const { element, user } = await setup({ progress: 'approval', result: null });
    element.locked = true;
    await element.updateComplete;

    expect(user.buttons('Allow')[0]?.disabled).to.equal(true);
  });
});
