import '../../define-all.ts';
import type { AgentEntry } from '@inlay/client';
import { withStrings } from '../i18n/strings.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';

async function setup(rest: Partial<AgentEntry> = {}) {
  const element = mount(document.createElement('inlay-agent-message'));
  Object.assign(element, { entry: entries.agent('a', 'It is *here*.', rest), rateable: true });
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-agent-message', () => {
  it('passes the accessibility audit', async () => {
    await expectAccessible((await setup()).element);
  });

  it('has no buttons while the answer grows', async () => {
    const { user } = await setup({ progress: 'streaming' });

    expect(user.buttons('Copy')).to.have.length(0);
  });

  it('says that an answer was stopped, or broke off', async () => {
    expect((await setup({ progress: 'stopped' })).user.text).to.contain('Stopped');
    expect((await setup({ progress: 'failed' })).user.text).to.contain('The answer broke off');
  });

  it('speaks the language that it is given, also inside the answer', async () => {
    const { element } = await setup();
    element.strings = withStrings({ copy: 'Kopieren' });
    element.entry = entries.agent('a', '```js\nlook();\n```');
    await element.updateComplete;

    const inside = deepAll(element, 'button.copy').map(({ textContent }) => textContent);
    expect(inside).to.deep.equal(['Kopieren']);
  });

  it('keeps what its row tells the buttons from the text, which would be styled anew for it', async () => {
    const { element } = await setup();
    const toldTo = (tag: string) =>
      deepAll(element, tag).map((inside) =>
        getComputedStyle(inside).getPropertyValue('--inlay-actions-opacity'),
      );

    element.style.setProperty('--inlay-actions-opacity', '1');

    expect(toldTo('inlay-answer-actions')).to.deep.equal(['1']);
    expect(toldTo('em')).to.deep.equal(['']);
  });
});
