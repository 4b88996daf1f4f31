import '../../define-all.ts';
import type { UserEntry } from '@inlay/client';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { deepAll, User, until } from '../testing/user.ts';

async function setup(overrides: Partial<UserEntry> = {}) {
  const element = mount(document.createElement('inlay-user-message'));
  element.entry = entries.user('u', 'Where is it?', overrides);
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-user-message', () => {
  it('passes the accessibility audit when sent and when failed', async () => {
    await expectAccessible((await setup()).element);
    await expectAccessible((await setup({ delivery: 'failed' })).element);
  });

  it('points its corner to the side of the user, in any direction of its text', async () => {
    const { element } = await setup();
    const radii = () => {
      const [bubble] = deepAll(element, '.bubble');
      if (!bubble) return null;
      const { borderBottomLeftRadius, borderBottomRightRadius } = getComputedStyle(bubble);
      return [borderBottomLeftRadius, borderBottomRightRadius].map(Number.parseFloat);
    };
    const [far, near] = radii() ?? [];
    expect(near).to.be.lessThan(far ?? 0);
    element.dir = 'rtl';

    expect(radii()).to.deep.equal([near, far]);
  });

  it('has a border with more contrast, because its background hardly differs', async () => {
    const { element } = await setup();
    const [bubble] = deepAll(element, '.bubble');
    const width = () => bubble && getComputedStyle(bubble).borderTopWidth;
    expect(width()).to.equal('0px');

    element.style.setProperty('--inlay-contrast', '1');

    expect(width()).to.equal('1px');
  });

  it('shows the delivery state of an unsent message', async () => {
    expect((await setup({ delivery: 'queued' })).user.text).to.contain('Waiting to send');
    expect((await setup({ delivery: 'sending' })).user.text).to.contain('Sending');
    expect((await setup()).user.text).to.equal('You said Where is it?');
  });

  it('shows its actions when it is sent, without a change of the size of its bubble', async () => {
    const { element, user } = await setup();
    element.style.inlineSize = '358px';
    element.editable = true;
    const text = 'Hello there. I want to know when the train to Lisbon leaves tonight, please.';
    const show = async (delivery: UserEntry['delivery']) => {
      element.entry = entries.user('u', text, { delivery });
      await element.updateComplete;
      await nextFrame();
      const bubble = deepAll(element, '.bubble')[0]?.getBoundingClientRect();
      const isVisible = (button: Element) => button.checkVisibility({ visibilityProperty: true });
      return {
        size: `${bubble?.width} × ${bubble?.height}`,
        actions: ['Copy message', 'Edit'].filter((name) => user.buttons(name).some(isVisible)),
      };
    };

    const sending = await show('sending');
    const sent = await show('sent');

    expect(sending.actions).to.deep.equal([]);
    expect(sent.actions).to.deep.equal(['Copy message', 'Edit']);
    expect(sent.size).to.equal(sending.size);
  });

  it('offers to send a failed message again', async () => {
    const { element, user } = await setup({ delivery: 'failed' });
    const keys: string[] = [];
    element.addEventListener('inlay-retry', ({ detail }) => keys.push(detail.key));

    await user.click('Try again');

    expect(keys).to.deep.equal(['u']);
  });

  it('shows the time of the next attempt, and offers to retry now or to discard', async () => {
    const retryAt = Date.now() + 3_600_000;
    const { element, user } = await setup({ delivery: 'queued', retryAt });
    const requested: string[] = [];
    element.addEventListener('inlay-retry', () => requested.push('retry'));
    element.addEventListener('inlay-discard', () => requested.push('discard'));

    expect(user.text).to.match(/Waiting until .*\d/);
    await expectAccessible(element);
    await user.click('Try again');
    await user.click('Discard');
    expect(requested).to.deep.equal(['retry', 'discard']);
  });

  it('offers to discard a failed message', async () => {
    const { element, user } = await setup({ delivery: 'failed' });
    const keys: string[] = [];
    element.addEventListener('inlay-discard', ({ detail }) => keys.push(detail.key));

    await user.click('Discard');

    expect(keys).to.deep.equal(['u']);
  });

  it('shows markup as text', async () => {
    const { element } = await setup({ text: '<b>bold</b> **stars**' });

    expect(element.shadowRoot?.querySelector('b')).to.equal(null);
    expect(element.shadowRoot?.textContent).to.contain('<b>bold</b> **stars**');
  });

  it('is edited in place, and dispatches the edited text', async () => {
    const { element, user } = await setup();
    element.editable = true;
    await element.updateComplete;
    const edits: unknown[] = [];
    element.addEventListener('inlay-entry-edit-request', ({ detail }) => edits.push(detail));

    await user.click('Edit');
    await until('a text field', () => deepAll(element, 'textarea')[0]);
    expect(user.field.value).to.equal('Where is it?');
    expect(user.field.getRootNode()).to.have.property('activeElement', user.field);
    user.type('Where are they?');
    user.press('Enter');
    await until('the end of the edit', () => deepAll(element, 'textarea').length === 0);

    expect(edits).to.deep.equal([{ key: 'u', text: 'Where are they?' }]);
    const edit = await until('the button', () => user.buttons('Edit')[0]);
    expect(edit.getRootNode()).to.have.property('activeElement', edit);
  });

  it('does not change if the edit is canceled or changes nothing', async () => {
    const { element, user } = await setup();
    element.editable = true;
    await element.updateComplete;
    let edits = 0;
    element.addEventListener('inlay-entry-edit-request', () => {
      edits += 1;
    });

    for (const key of ['Escape', 'Enter']) {
      await user.click('Edit');
      await until('a text field', () => deepAll(element, 'textarea')[0]);
      user.press(key);
      await until('the end of the edit', () => deepAll(element, 'textarea').length === 0);
    }

    expect(edits).to.equal(0);
    expect(user.text).to.contain('Where is it?');
  });

  it('keeps an edit in progress if another element replaces the element', async () => {
    const { element, user } = await setup();
    element.editable = true;
    await element.updateComplete;
    await user.click('Edit');
    await until('a text field', () => deepAll(element, 'textarea')[0]);
    user.type('Half a thought');
    element.remove();

    const other = mount(document.createElement('inlay-user-message'));
    other.uiStates = element.uiStates;
    other.entry = entries.user('u', 'Where is it?');
    await other.updateComplete;

    expect(new User(other).field.value).to.equal('Half a thought');
  });

  it('shows attachments by name', async () => {
    const source = { type: 'file' as const, file_id: 'file_1' };
    const { element, user } = await setup({
      text: '',
      content: [
        { type: 'image', source },
        { type: 'document', source, title: 'Invoice.pdf' },
      ],
    });

    await user.sees('Invoice.pdf');
    await user.sees('Image');
    expect(deepAll(element, '.bubble')).to.have.length(0);
  });

  it('keeps the edit if the page prevents inlay-entry-edit-request', async () => {
    const { element, user } = await setup();
    element.editable = true;
    await element.updateComplete;
    element.addEventListener('inlay-entry-edit-request', (event) => event.preventDefault());
    await user.click('Edit');
    await until('a text field', () => deepAll(element, 'textarea')[0]);
    user.type('My password is …');

    user.press('Enter');
    await element.updateComplete;

    expect(user.field.value).to.equal('My password is …');
  });

  it('announces each failure to send once', async () => {
    const { element } = await setup({ delivery: 'sending' });
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
    const setDelivery = async (delivery: UserEntry['delivery']) => {
      element.entry = entries.user('u', 'Where is it?', { delivery });
      await element.updateComplete;
    };

    await setDelivery('failed');
    await setDelivery('failed');
    expect(announced).to.deep.equal(['Not sent']);

    await setDelivery('sending');
    await setDelivery('failed');
    expect(announced).to.deep.equal(['Not sent', 'Not sent']);
  });
});
