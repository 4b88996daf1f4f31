import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';

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

  it('is one row that scrolls in a narrow chat, and wraps in a wide one', async () => {
    const prompts = ['When will it come?', 'Send it elsewhere', 'What if nobody is at home?'];
    const container = mount(document.createElement('div'));
    container.style.containerType = 'inline-size';
    const element = document.createElement('inlay-suggestions');
    element.prompts = [...prompts, ...prompts].map((label) => ({ label }));
    container.append(element);
    await element.updateComplete;
    const rowsAt = (width: number) => {
      container.style.inlineSize = `${width}px`;
      return new Set(deepAll(element, 'button').map((each) => each.getBoundingClientRect().top))
        .size;
    };

    expect(rowsAt(404)).to.equal(1);
    expect(rowsAt(600)).to.be.greaterThan(1);
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
