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
  const container = mount(document.createElement('div'));
  const button = document.createElement('button');
  container.append(button, element);
  return { button, element, user: new User(element), dispatched };
}

const pointerDown = (target: Element) =>
  target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));

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

  it('fades out when it is closed, shows its items when it opens again, and takes no keys in between', async () => {
    const { button, element, user, dispatched } = setup();
    await user.click('Delete my data');
    const [menu] = deepAll(element, '[part=base]');
    finishAnimations(element);

    element.closed = true;
    await element.updateComplete;
    // Without transitions of `display`, as in Firefox 153 and WebKitGTK, the menu is hidden at once.
    if (navigator.userAgent.includes('Chrome')) expect(menu?.getAnimations()).to.have.length(3);
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    pointerDown(document.body);
    expect(dispatched).to.deep.equal([]);
    finishAnimations(element);
    expect(menu?.getClientRects()).to.have.length(0);

    element.closed = false;
    await element.updateComplete;
    expect(
      user.buttons('Export as Markdown').filter((each) => each.matches(':focus')),
    ).to.have.length(1);
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

  it('says below the items when conversations are deleted', async () => {
    const { element, user } = setup({ retentionDays: 90 });
    await user.sees('Conversations are deleted 90 days after the last message.');
    finishAnimations(element);
    await expectAccessible(element);
    const [menu] = deepAll(element, '[role=menu]');
    expect(menu?.getAttribute('aria-describedby')).to.equal('retention');

    element.retentionDays = 1;
    await user.sees('Conversations are deleted 1 day after the last message.');
    element.retentionDays = null;
    await element.updateComplete;
    expect(user.text).not.to.contain('are deleted');
  });

  it('dispatches inlay-close-menu when focus leaves the menu and its button', async () => {
    const { button, element, dispatched } = setup();
    const outside = mount(document.createElement('button'));
    await until('the focus', () => deepAll(element, '[role=menuitem]:focus').length === 1);

    button.focus();
    expect(dispatched).to.deep.equal([]);
    outside.focus();

    expect(dispatched).to.deep.equal(['inlay-close-menu']);
  });

  it('handles Escape and the arrow keys while its button has focus', async () => {
    const { button, element, dispatched } = setup();
    await until('the focus', () => deepAll(element, '[role=menuitem]:focus').length === 1);
    const press = (key: string) =>
      button.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }),
      );

    button.focus();
    press('ArrowDown');
    expect(deepAll(element, ':focus')[0]?.textContent).to.contain('Export as Markdown');
    button.focus();
    press('Escape');

    expect(dispatched).to.deep.equal(['inlay-close-menu']);
  });

  it('dispatches inlay-close-menu when the user presses outside of it, on content without focus', () => {
    const { element, dispatched } = setup();

    pointerDown(document.body);
    expect(dispatched).to.deep.equal(['inlay-close-menu']);
    element.remove();
    pointerDown(document.body);

    expect(dispatched).to.deep.equal(['inlay-close-menu']);
  });

  it('stays open when the user presses inside, even if it is in a closed shadow tree', async () => {
    const { button, element, dispatched } = setup();
    const root = mount(document.createElement('div')).attachShadow({ mode: 'closed' });
    root.append(element.parentElement as Element);
    await element.updateComplete;

    pointerDown(deepAll(element, '[role=menuitem]')[0] as Element);
    pointerDown(button);

    expect(dispatched).to.deep.equal([]);
  });
});
