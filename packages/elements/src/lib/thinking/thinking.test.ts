import '../../define-all.ts';
import type { ThinkingEntry } from '@inlay/client';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';

async function setup(overrides: Partial<ThinkingEntry> = {}) {
  const element = mount(document.createElement('inlay-thinking'));
  element.entry = entries.thinking('t', overrides);
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-thinking', () => {
  it('passes the accessibility audit when collapsed and when expanded', async () => {
    const { element } = await setup();
    await expectAccessible(element);
    deepAll(element, 'details')[0]?.toggleAttribute('open', true);
    await expectAccessible(element);
  });

  it('is collapsed and shows its duration', async () => {
    const { element, user } = await setup();

    expect(user.text).to.contain('Thought for 4 s');
    expect(deepAll(element, 'details')[0]?.hasAttribute('open')).to.equal(false);
  });

  it('shows whether it continues or was stopped', async () => {
    const live = await setup({ progress: 'streaming', endedAt: null });
    expect(live.user.text).to.contain('Thinking');
    const stopped = await setup({ progress: 'stopped', endedAt: null });
    expect(stopped.user.text).to.contain('Stopped thinking');
  });

  it('stays expanded while it streams, and when it ends with more text', async () => {
    const streaming = { progress: 'streaming', endedAt: null } as const;
    const { element, user } = await setup(streaming);
    const [details] = deepAll<HTMLDetailsElement>(element, 'details');
    if (details) details.open = true;
    await until('the toggle event', () => element.uiStates.get('t')?.open);

    element.entry = entries.thinking('t', { ...streaming, text: 'Let me see. And' });
    await element.updateComplete;

    expect(details?.isConnected).to.equal(true);
    expect(details?.open).to.equal(true);
    expect(user.text).to.contain('Let me see. And');

    element.entry = entries.thinking('t', { text: 'Let me see. And then?' });
    await element.updateComplete;

    expect(details?.isConnected).to.equal(true);
    expect(details?.open).to.equal(true);
  });

  it('can’t be expanded if it has no text', async () => {
    const { element } = await setup({ text: '' });

    expect(deepAll(element, 'details')).to.have.length(0);
  });
});
