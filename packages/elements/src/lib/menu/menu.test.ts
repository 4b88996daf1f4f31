import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';
import type { InlayMenu } from './menu.ts';

function setup(options: Partial<InlayMenu> = {}) {
  const element = Object.assign(document.createElement('inlay-menu'), {
    exportable: true,
    deletable: true,
    forgettable: true,
    ...options,
  });
  const dispatched: string[] = [];
  element.addEventListener('inlay-menu-export', ({ detail }) => dispatched.push(detail.format));
  for (const name of ['inlay-menu-delete', 'inlay-menu-forget', 'inlay-close-menu'] as const) {
    element.addEventListener(name, () => dispatched.push(name));
  }
  mount(element);
  return { element, user: new User(element), dispatched };
}

describe('inlay-menu', () => {
  it('focuses its first item, and dispatches the chosen action', async () => {
    const { element, user, dispatched } = setup();
    await until('the focus', () => deepAll(element, '[role=menuitem]:focus').length === 1);
    finishAnimations(element);
    await expectAccessible(element);

    await user.click('Export as Markdown');
    await user.click('Export as JSON');

    expect(dispatched).to.deep.equal(['markdown', 'json']);
  });

  it('asks for a confirmation before a deletion, which the user can cancel', async () => {
    const { element, user, dispatched } = setup();
    await user.click('Delete my data');
    await user.sees('Permanently deletes all your conversations and files');
    finishAnimations(element);
    await expectAccessible(element);
    await user.click('Cancel');
    expect(dispatched).to.deep.equal([]);

    await user.click('Delete my data');
    await user.click('Delete everything');
    expect(dispatched).to.deep.equal(['inlay-menu-forget']);
  });

  it('shows only allowed actions', async () => {
    const { user } = setup({ deletable: false, forgettable: false });
    await user.sees('Export as Markdown');

    expect(user.text).not.to.contain('Delete').and.not.to.contain('my data');
  });

  it('dispatches inlay-close-menu when focus leaves the menu', async () => {
    const { element, dispatched } = setup();
    const outside = mount(document.createElement('button'));
    await until('the focus', () => deepAll(element, '[role=menuitem]:focus').length === 1);

    outside.focus();

    expect(dispatched).to.deep.equal(['inlay-close-menu']);
  });
});
