import '../../define-all.ts';
import type { UserEntry } from '@inlay/client';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';

/** Mounts the actions below a user message. */
async function setup(overrides: Partial<UserEntry> = {}) {
  const element = mount(document.createElement('inlay-user-message'));
  element.entry = entries.user('u', 'Where is it?', overrides);
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-user-actions', () => {
  it('passes the accessibility audit with two versions', async () => {
    const { element } = await setup({ versions: { at: 0, of: 2 } });
    element.editable = true;
    await element.updateComplete;

    await expectAccessible(element);
  });

  it('switches between versions and keeps focus', async () => {
    const { element, user } = await setup({ versions: { at: 1, of: 3 } });
    const requested: unknown[] = [];
    element.addEventListener('inlay-show-version', ({ detail }) => requested.push(detail));
    const group = deepAll(element, '.versions')[0];
    expect(group?.ariaLabel).to.equal('Version 2 of 3');

    await user.click('Next version');
    // Another version is another entry with another element.
    element.remove();
    const next = await setup({ key: 'v', id: 'v', versions: { at: 2, of: 3 } });
    await until('the focus', () => deepAll(next.element, ':focus')[0]);

    expect(requested).to.deep.equal([{ key: 'u', at: 2 }]);
    const button = next.user.buttons('Next version')[0];
    expect(button?.getRootNode()).to.have.property('activeElement', button);
    button?.click();
    expect(requested).to.have.length(1);
  });
});
