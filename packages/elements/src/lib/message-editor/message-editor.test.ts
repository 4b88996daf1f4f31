import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { User } from '../testing/user.ts';

async function setup(text = 'Where is it?') {
  const element = mount(document.createElement('inlay-message-editor'));
  element.text = text;
  await element.updateComplete;
  const told: [string, string][] = [];
  for (const name of ['input', 'send', 'cancel']) {
    element.addEventListener(`inlay-editor-${name}`, (event) => {
      if (event instanceof CustomEvent) told.push([name, event.detail.text]);
    });
  }
  return { element, user: new User(element), told };
}

describe('inlay-message-editor', () => {
  it('passes the accessibility audit', async () => {
    await expectAccessible((await setup()).element);
  });

  it('sends with Enter, and inserts a line break with Shift+Enter', async () => {
    const { user, told } = await setup();
    user.type('And now?');

    expect(user.press('Enter', { shiftKey: true }).defaultPrevented).to.equal(false);
    user.press('Enter');

    expect(told).to.deep.equal([
      ['input', 'And now?'],
      ['send', 'And now?'],
    ]);
  });

  it('ignores Enter and Escape during an input method composition', async () => {
    const { user, told } = await setup();

    user.press('Enter', { isComposing: true });
    user.press('Escape', { isComposing: true });
    user.press('Enter', { keyCode: 229 });

    expect(told).to.deep.equal([]);
  });

  it('cancels with Escape, and stops the event', async () => {
    const { element, user, told } = await setup();
    let heard = 0;
    element.addEventListener('keydown', () => {
      heard += 1;
    });

    user.press('Escape');

    expect(told).to.deep.equal([['cancel', 'Where is it?']]);
    expect(heard).to.equal(0);
  });

  it('sends nothing if it is empty or locked', async () => {
    const { element, user, told } = await setup('  ');
    user.press('Enter');
    element.text = 'Now';
    element.locked = true;
    await element.updateComplete;
    user.press('Enter');

    expect(user.buttons('Send')[0]?.disabled).to.equal(true);
    expect(told).to.deep.equal([]);
  });

  it('grows with its text', async () => {
    const { element, user } = await setup('One line');
    const before = user.field.clientHeight;

    element.text = 'One\nTwo\nThree\nFour';
    await element.updateComplete;

    expect(user.field.clientHeight).to.be.greaterThan(before * 2);
  });
});
