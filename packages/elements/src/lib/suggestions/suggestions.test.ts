import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { User } from '../testing/user.ts';

describe('inlay-suggestions', () => {
  it('sends the prompt of the chosen suggestion, or its label if it has no prompt', async () => {
    const element = mount(
      Object.assign(document.createElement('inlay-suggestions'), {
        prompts: [{ label: 'And back?' }, { label: 'Cheaper', prompt: 'Is there a cheaper one?' }],
      }),
    );
    const sent: string[] = [];
    element.addEventListener('inlay-submit-request', ({ detail }) => sent.push(detail.text));
    const user = new User(element);
    await user.sees('And back?');
    await expectAccessible(element);

    await user.click('And back?');
    await user.click('Cheaper');

    expect(sent).to.deep.equal(['And back?', 'Is there a cheaper one?']);
  });

  it('sends a suggestion once if it is double-clicked', async () => {
    const element = mount(
      Object.assign(document.createElement('inlay-suggestions'), { prompts: [{ label: 'Why?' }] }),
    );
    await element.updateComplete;
    const user = new User(element);
    const sent: string[] = [];
    element.addEventListener('inlay-submit-request', ({ detail }) => sent.push(detail.text));
    const [button] = user.buttons('Why?');

    for (const detail of [1, 2]) button?.dispatchEvent(new MouseEvent('click', { detail }));

    expect(sent).to.deep.equal(['Why?']);
  });
});
