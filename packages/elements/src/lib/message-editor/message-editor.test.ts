import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { User } from '../testing/user.ts';

async function setup(text = 'Where is it?') {
  const element = mount(document.createElement('inlay-message-editor'));
  element.text = text;
  await element.updateComplete;
  const dispatched: [string, string][] = [];
  for (const name of ['input', 'send', 'cancel']) {
    element.addEventListener(`inlay-editor-${name}`, (event) => {
      if (event instanceof CustomEvent) dispatched.push([name, event.detail.text]);
    });
  }
  return { element, user: new User(element), dispatched };
}

describe('inlay-message-editor', () => {
  it('passes the accessibility audit', async () => {
    await expectAccessible((await setup()).element);
  });

  it('sends with Enter, and inserts a line break with Shift+Enter', async () => {
    const { user, dispatched } = await setup();
    user.type('And now?');

    expect(user.press('Enter', { shiftKey: true }).defaultPrevented).to.equal(false);
    user.press('Enter');

    expect(dispatched).to.deep.equal([
      ['input', 'And now?'],
      ['send', 'And now?'],
    ]);
  });

  it('ignores Enter and Escape during an input method composition', async () => {
    const { user, dispatched } = await setup();

    user.press('Enter', { isComposing: true });
    user.press('Escape', { isComposing: true });
    user.press('Enter', { keyCode: 229 });

    expect(dispatched).to.deep.equal([]);
  });

  it('cancels with Escape, and stops the propagation of the key event', async () => {
    const { element, user, dispatched } = await setup();
    let bubbled = 0;
    element.addEventListener('keydown', () => {
      bubbled += 1;
    });

    user.press('Escape');

    expect(dispatched).to.deep.equal([['cancel', 'Where is it?']]);
    expect(bubbled).to.equal(0);
  });

  it('sends nothing if it is empty or locked', async () => {
    const { element, user, dispatched } = await setup('  ');
    user.press('Enter');
    element.text = 'Now';
    element.locked = true;
    await element.updateComplete;
    user.press('Enter');

    expect(user.buttons('Send')[0]?.disabled).to.equal(true);
    expect(dispatched).to.deep.equal([]);
  });

  it('grows with its text', async () => {
    const { element, user } = await setup('One line');
    const before = user.field.clientHeight;

    element.text = 'One\nTwo\nThree\nFour';
    await element.updateComplete;

    expect(user.field.clientHeight).to.be.greaterThan(before * 2);
  });
});
