import '../../define.ts';
import type { UserEntry } from '@inlay/client';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { User } from '../testing/user.ts';

async function setup(rest: Partial<UserEntry> = {}) {
  const element = mount(document.createElement('inlay-user-message'));
  element.entry = entries.user('u', 'Where is it?', rest);
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-user-message', () => {
  it('passes the accessibility audit, sent and failed', async () => {
    await expectAccessible((await setup()).element);
    await expectAccessible((await setup({ delivery: 'failed' })).element);
  });

  it('says where a message stands that is not sent yet', async () => {
    expect((await setup({ delivery: 'queued' })).user.text).to.contain('Waiting to send');
    expect((await setup({ delivery: 'sending' })).user.text).to.contain('Sending');
    expect((await setup()).user.text).to.equal('You said Where is it?');
  });

  it('offers to send a failed message again', async () => {
    const { element, user } = await setup({ delivery: 'failed' });
    const keys: string[] = [];
    element.addEventListener('inlay-retry', ({ detail }) => keys.push(detail.key));

    await user.click('Try again');

    expect(keys).to.deep.equal(['u']);
  });

  it('offers to give a failed message up', async () => {
    const { element, user } = await setup({ delivery: 'failed' });
    const keys: string[] = [];
    element.addEventListener('inlay-discard', ({ detail }) => keys.push(detail.key));

    await user.click('Discard');

    expect(keys).to.deep.equal(['u']);
  });

  it('shows markup as the text that it is', async () => {
    const { element } = await setup({ text: '<b>bold</b> **stars**' });

    expect(element.shadowRoot?.querySelector('b')).to.equal(null);
    expect(element.shadowRoot?.textContent).to.contain('<b>bold</b> **stars**');
  });

  it('counts attachments', async () => {
    const image = { type: 'image' as const, source: { type: 'file' as const, file_id: 'file_1' } };

    expect((await setup({ content: [image] })).user.text).to.contain('1 attachment');
    expect((await setup({ content: [image, image] })).user.text).to.contain('2 attachments');
  });
});
