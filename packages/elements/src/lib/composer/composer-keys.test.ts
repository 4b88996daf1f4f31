import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { setupComposer as setup } from '../testing/composer.ts';
import { expect } from '../testing/fixture.ts';
import { deepAll, until } from '../testing/user.ts';

describe('inlay-composer', () => {
  it('restores earlier messages with the arrow-up key, but never replaces typed text', async () => {
    const { element, user, type } = await setup({ sentMessages: () => ['first', 'second'] });
    user.field.focus();

    user.press('ArrowUp');
    await element.updateComplete;
    expect(user.field.value).to.equal('second');
    user.press('ArrowUp');
    user.press('ArrowDown');
    user.press('ArrowDown');
    await element.updateComplete;
    expect(user.field.value).to.equal('');

    await type('Mine');
    expect(user.press('ArrowUp').defaultPrevented).to.equal(false);
    expect(user.field.value).to.equal('Mine');
  });

  it('stops a running agent with Escape, and otherwise leaves Escape to the page', async () => {
    const { element, user } = await setup({ running: true });
    let stopped = 0;
    element.addEventListener('inlay-stop', () => {
      stopped += 1;
    });

    expect(user.press('Escape').defaultPrevented).to.equal(true);
    element.running = false;
    await element.updateComplete;
    expect(user.press('Escape').defaultPrevented).to.equal(false);
    expect(stopped).to.equal(1);
  });

  it('sends the selected mode with the message', async () => {
    const modes = [
      { id: 'fast', label: 'Fast' },
      { id: 'deep', label: 'Thorough', description: 'Takes longer' },
    ];
    const { element, user, type, sent } = await setup({ modes });
    const chosenModes: string[] = [];
    element.addEventListener('inlay-mode', ({ detail }) => chosenModes.push(detail.mode));
    const select = await until('the modes', () => deepAll<HTMLSelectElement>(element, 'select')[0]);
    await expectAccessible(element);

    select.value = 'deep';
    select.dispatchEvent(new Event('change'));
    await type('Hello');
    user.press('Enter');

    expect(chosenModes).to.deep.equal(['deep']);
    expect(sent[0]?.mode).to.equal('deep');
  });

  it('shows no mode selector for a single mode', async () => {
    const { element, user, type, sent } = await setup({ modes: [{ id: 'fast', label: 'Fast' }] });
    expect(deepAll(element, 'select')).to.have.length(0);

    await type('Hello');
    user.press('Enter');

    expect(sent[0]?.mode).to.equal(null);
  });
});
