import '../../define-all.ts';
import type { AgentEntry } from '@inlay/client';
import { english } from '../i18n/all-strings.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';

async function setup(overrides: Partial<AgentEntry> = {}) {
  const element = mount(document.createElement('inlay-agent-message'));
  Object.assign(element, { entry: entries.agent('a', 'It is *here*.', overrides), rateable: true });
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-agent-message', () => {
  it('passes the accessibility audit', async () => {
    await expectAccessible((await setup()).element);
  });

  it('shows no buttons while the message streams', async () => {
    const { user } = await setup({ progress: 'streaming' });

    expect(user.buttons('Copy message')).to.have.length(0);
  });

  it('shows that a message was stopped or failed', async () => {
    expect((await setup({ progress: 'stopped' })).user.text).to.contain('Stopped');
    expect((await setup({ progress: 'failed' })).user.text).to.contain('Answer interrupted');
  });

  it('passes its strings to the buttons of code blocks', async () => {
    const { element } = await setup();
    element.strings = { ...english, copy: 'Kopieren' };
    element.entry = entries.agent('a', '```js\nlook();\n```');
    await element.updateComplete;

    const inside = deepAll(element, 'button.copy').map(({ textContent }) => textContent);
    expect(inside).to.deep.equal(['Kopieren']);
  });

  it('passes --inlay-actions-opacity to the buttons, but not to the text', async () => {
    const { element } = await setup();
    const opacitiesOf = (tag: string) =>
      deepAll(element, tag).map((inside) =>
        getComputedStyle(inside).getPropertyValue('--inlay-actions-opacity'),
      );

    element.style.setProperty('--inlay-actions-opacity', '1');

    expect(opacitiesOf('inlay-answer-actions')).to.deep.equal(['1']);
    expect(opacitiesOf('em')).to.deep.equal(['']);
  });
});
