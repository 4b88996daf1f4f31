import '../../define-all.ts';
import type { Session } from '@inlay/protocol';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';
import type { InlayConversationItem } from './conversation-item.ts';

const session: Session = {
  type: 'session',
  id: 'ses_1',
  agent: { type: 'agent', id: 'agt_1', name: 'Ada', version: '1' },
  status: 'idle',
  title: null,
  preview: 'Where is my order?',
  metadata: {},
  budget: null,
  usage: { input_tokens: 0, output_tokens: 0, spent_cents: 0 },
  created_at: '2026-05-04T09:00:00Z',
  updated_at: '2026-05-04T09:00:00Z',
  archived_at: null,
};

async function setup(options: Partial<InlayConversationItem> = {}) {
  const element = mount(
    Object.assign(document.createElement('inlay-conversation-item'), { session, ...options }),
  );
  await element.updateComplete;
  const more = () => deepAll<HTMLButtonElement>(element, '.more')[0]?.click();
  return { element, user: new User(element), more };
}

describe('inlay-conversation-item', () => {
  it('shows its title, its first message or a default', async () => {
    const { element, user } = await setup();
    expect(user.text).to.contain('Where is my order?');
    await expectAccessible(element);

    element.session = { ...session, title: 'Parcel' };
    await user.sees('Parcel');
    element.session = { ...session, preview: null };
    await user.sees('New conversation');
  });

  it('dispatches the new title, trimmed', async () => {
    const { element, user, more } = await setup();
    const names: string[] = [];
    element.addEventListener('inlay-conversation-rename', ({ detail }) => names.push(detail.title));
    more();
    await user.click('Rename');
    const field = await until('the field', () =>
      deepAll<HTMLInputElement>(element, 'input:focus').at(0),
    );
    field.value = '  Parcel  ';
    await user.click('Save');

    expect(names).to.deep.equal(['Parcel']);
  });

  it('closes its form once the action is done', async () => {
    const { element, user, more } = await setup({ deletable: true });
    more();
    await user.click('Delete');
    await user.sees('This can’t be undone');

    element.busy = true;
    await element.updateComplete;
    expect(user.buttons('Delete')[0]?.disabled).to.equal(true);
    element.busy = false;

    await user.sees('Where is my order?');
    expect(user.text).not.to.contain('This can’t be undone');
  });

  it('restores focus when a form is canceled', async () => {
    const { element, user, more } = await setup();
    more();
    await user.click('Cancel');

    await until('the button', () => deepAll(element, '.more:focus').length === 1);
  });
});
