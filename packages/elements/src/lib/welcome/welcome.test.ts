import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { User } from '../testing/user.ts';
import type { InlayWelcome } from './welcome.ts';

async function setup(options: Partial<InlayWelcome> = {}) {
  const element = mount(Object.assign(document.createElement('inlay-welcome'), options));
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-welcome', () => {
  it('passes the accessibility audit while loading and when loaded', async () => {
    await expectAccessible((await setup({ loading: true })).element);
    await expectAccessible((await setup({ starters: [{ label: 'Begin' }] })).element);
  });

  it('shows a default greeting if the agent has none', async () => {
    expect((await setup({ greeting: 'Good day' })).user.text).to.equal('Good day');
    expect((await setup()).user.text).to.equal('How can I help?');
  });

  it('sends the prompt of a suggestion, or its label if it has no prompt', async () => {
    const starters = [{ label: 'Short', prompt: 'The long question' }, { label: 'Plain' }];
    const { element, user } = await setup({ starters });
    const sent: string[] = [];
    element.addEventListener('inlay-submit-request', ({ detail }) => sent.push(detail.text));

    await user.click('Short');
    await user.click('Plain');

    expect(sent).to.deep.equal(['The long question', 'Plain']);
  });

  it('sends a suggestion once if it is double-clicked', async () => {
    const { element, user } = await setup({ starters: [{ label: 'Why?' }] });
    const sent: string[] = [];
    element.addEventListener('inlay-submit-request', ({ detail }) => sent.push(detail.text));
    const [button] = user.buttons('Why?');

    for (const detail of [1, 2]) button?.dispatchEvent(new MouseEvent('click', { detail }));

    expect(sent).to.deep.equal(['Why?']);
  });

  it('shows no greeting before it is loaded', async () => {
    const { user } = await setup({ loading: true, greeting: 'Later' });

    expect(user.text).to.equal('Loading the chat');
  });
});
