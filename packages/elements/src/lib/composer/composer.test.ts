import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';
import type { InlayComposer } from './composer.ts';

async function setup(options: Partial<InlayComposer> = {}) {
  const element = mount(Object.assign(document.createElement('inlay-composer'), options));
  const sent: string[] = [];
  element.addEventListener('inlay-submit-request', ({ detail }) => sent.push(detail.text));
  await element.updateComplete;
  const user = new User(element);
  const type = async (text: string) => {
    user.type(text);
    await element.updateComplete;
  };
  return { element, user, type, sent };
}

describe('inlay-composer', () => {
  it('passes the accessibility audit, empty, filled and while an answer is made', async () => {
    const { element, type } = await setup({ disclaimer: 'It can err.' });
    await expectAccessible(element);
    await type('Hello');
    await expectAccessible(element);
    element.running = true;
    await element.updateComplete;
    await expectAccessible(element);
  });

  it('sends what was typed with Enter, without the space around it, and is empty then', async () => {
    const { element, user, type, sent } = await setup();
    await type('  Hello\n');

    user.press('Enter');

    expect(sent).to.deep.equal(['Hello']);
    expect(element.value).to.equal('');
  });

  it('keeps the text when the request is prevented', async () => {
    const { element, user, type } = await setup();
    element.addEventListener('inlay-submit-request', (event) => event.preventDefault());
    await type('Hello');

    user.press('Enter');

    expect(element.value).to.equal('Hello');
  });

  it('leaves Shift+Enter to the field, for a new line', async () => {
    const { user, type, sent } = await setup();
    await type('Hello');

    const event = user.press('Enter', { shiftKey: true });

    expect(event.defaultPrevented).to.equal(false);
    expect(sent).to.deep.equal([]);
  });

  it('does not send with the Enter that ends an input method’s composition', async () => {
    const { user, type, sent } = await setup();
    await type('こんにちは');

    user.press('Enter', { isComposing: true });
    user.press('Enter', { keyCode: 229 });

    expect(sent).to.deep.equal([]);
  });

  it('sends nothing where there is nothing but space', async () => {
    const { user, type, sent } = await setup();
    await type('  \n ');

    user.press('Enter');

    expect(sent).to.deep.equal([]);
    expect(user.buttons('Send')[0]?.disabled).to.equal(true);
  });

  it('offers to stop while an answer is made, and to send once there is text', async () => {
    const { element, user, type } = await setup({ running: true });
    let stopped = 0;
    element.addEventListener('inlay-stop', () => {
      stopped += 1;
    });
    expect(user.buttons('Send')).to.have.length(0);

    await user.click('Stop answering');
    expect(stopped).to.equal(1);
    await type('One more thing');
    expect(user.buttons('Send')).to.have.length(1);
  });

  it('lets a held text be changed but not sent, and a closed one be read', async () => {
    const { element, user, type, sent } = await setup({ held: true });
    await type('Hello');
    user.press('Enter');
    expect(sent).to.deep.equal([]);

    element.readOnly = true;
    await element.updateComplete;
    expect(user.field.readOnly).to.equal(true);
    expect(user.field.value).to.equal('Hello');
  });

  it('grows with its text up to a limit', async () => {
    const { user, type } = await setup();
    const low = user.field.offsetHeight;

    await type('line\n'.repeat(4));
    const grown = user.field.offsetHeight;
    await type('line\n'.repeat(200));

    expect(grown).to.be.greaterThan(low);
    expect(user.field.offsetHeight).to.be.at.most(200);
  });

  it('tells every change of the text, so that it can be kept', async () => {
    const { element, user, type } = await setup();
    const drafts: string[] = [];
    element.addEventListener('inlay-draft', ({ detail }) => drafts.push(detail.value));

    await type('Hello');
    user.press('Enter');

    expect(drafts).to.deep.equal(['Hello', '']);
  });

  it('shows the way that the page chooses, also after the person chose another', async () => {
    const modes = ['fast', 'deep'].map((id) => ({ id, label: id }));
    const { element } = await setup({ modes, mode: 'fast' });
    const [select] = deepAll<HTMLSelectElement>(element, 'select');
    const choose = (mode: string) => {
      if (select) select.value = mode;
      select?.dispatchEvent(new Event('change'));
      return element.updateComplete;
    };
    await choose('deep');
    await choose('fast');

    element.mode = 'deep';
    await element.updateComplete;

    expect(select?.value).to.equal('deep');
  });
});
