import '../../define-all.ts';
import type { NoticeEntry } from '@inlay/client';
import { expectAccessible } from '../testing/accessible.ts';
import { entries } from '../testing/entries.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, User } from '../testing/user.ts';

async function setup(overrides: Partial<NoticeEntry> = {}, last = true, interrupts = false) {
  const element = mount(document.createElement('inlay-notice'));
  Object.assign(element, { entry: entries.notice('n', overrides), last, interrupts });
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-notice', () => {
  it('passes the accessibility audit', async () => {
    await expectAccessible((await setup()).element);
  });

  it('shows a localized text, even for an unknown code', async () => {
    expect((await setup()).user.text).to.contain('couldn’t answer');
    expect((await setup({ code: 'constructor' })).user.text).to.contain('Something went wrong');
  });

  it('shows whether a billing error concerns the conversation or the day', async () => {
    expect((await setup({ code: 'EMBED_BUDGET_EXCEEDED' })).user.text).to.contain(
      'this conversation’s limit',
    );
    expect((await setup({ code: 'EMBED_QUOTA_EXCEEDED' })).user.text).to.contain('today’s limit');
  });

  it('shows that an answer was too long, or that it stalled', async () => {
    expect((await setup({ code: 'answer_too_long_error' })).user.text).to.contain('too long');
    expect((await setup({ code: 'model_stalled_error' })).user.text).to.contain('stopped arriving');
  });

  it('offers to continue an answer that was cut off, and to retry one that has no text', async () => {
    const { element, user } = await setup({ code: 'answer_cut_off_error' });
    const texts: string[] = [];
    element.addEventListener('inlay-submit-request', ({ detail }) => texts.push(detail.text));
    expect(user.buttons('Try again')).to.have.length(1);

    element.interrupts = true;
    await element.updateComplete;
    await user.click('Continue');

    expect(texts).to.deep.equal(['Continue']);
    expect(user.text).to.contain('too long');
    expect(user.text).not.to.contain('interrupted');
    expect(user.buttons('Try again')).to.have.length(0);
  });

  it('announces no failure that was announced with the interrupted message', async () => {
    const announced: string[] = [];
    const listener = ({ detail }: HTMLElementEventMap['inlay-announce']) =>
      announced.push(detail.text);
    document.addEventListener('inlay-announce', listener);
    await setup({ code: 'model_request_failed_error' }, true, true);
    await setup({ code: 'answer_too_long_error' }, true, true);
    document.removeEventListener('inlay-announce', listener);

    expect(announced.filter(Boolean)).to.deep.equal(['The answer got too long and was stopped.']);
  });

  it('shows that an answer is empty, or that a filter withheld it', async () => {
    const empty = await setup({ code: 'answer_empty_error' });
    expect(empty.user.text).to.contain('gave no answer');
    expect(empty.user.buttons('Try again')).to.have.length(1);

    const filtered = await setup({ code: 'answer_filtered_error', retryable: false });
    expect(filtered.user.text).to.contain('withheld');
    expect(filtered.user.buttons('Try again')).to.have.length(0);
  });

  it('shows when a quota resets', async () => {
    const { element, user } = await setup({ code: 'EMBED_QUOTA_EXCEEDED', retryable: false });
    element.resetsAt = new Date(2031, 4, 6, 7, 30).getTime();
    await element.updateComplete;

    expect(user.text).to.contain('You can continue from Tuesday, May 6 at 7:30');
    element.entry = entries.notice('n');
    await element.updateComplete;
    expect(user.text).not.to.contain('You can continue');
  });

  it('isolates English text on a right-to-left page', async () => {
    const { element } = await setup();
    element.dir = 'rtl';
    element.style.width = '800px';

    const sentence = deepAll(element, 'p')[0]?.querySelector('bdi')?.lastChild;
    if (!(sentence instanceof Text)) throw new Error('There are no words.');
    const leftOf = (index: number) => {
      const range = document.createRange();
      range.setStart(sentence, index);
      range.setEnd(sentence, index + 1);
      return range.getBoundingClientRect().left;
    };

    expect(leftOf(sentence.length - 1)).to.be.greaterThan(leftOf(0));
  });

  it('offers a retry only in the last entry, and only if the error is retryable', async () => {
    const { element, user } = await setup();
    let requested = 0;
    element.addEventListener('inlay-retry-last', () => {
      requested += 1;
    });
    await user.click('Try again');
    expect(requested).to.equal(1);

    expect((await setup({ retryable: false })).user.buttons('Try again')).to.have.length(0);
    expect((await setup({}, false)).user.buttons('Try again')).to.have.length(0);
  });

  it('is announced once, however often it is rendered', async () => {
    const announced: string[] = [];
    const uiStates = new Map();
    const show = async () => {
      const element = document.createElement('inlay-notice');
      element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
      Object.assign(element, { entry: entries.notice('n'), uiStates });
      await mount(element).updateComplete;
    };

    await show();
    await show();

    expect(announced).to.have.length(1);
    expect(announced[0]).to.contain('couldn’t answer');
  });

  it('is not announced if it only repeats that the answer was interrupted', async () => {
    const announced: string[] = [];
    for (const code of ['model_request_failed_error', 'answer_too_long_error']) {
      const element = document.createElement('inlay-notice');
      element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
      Object.assign(element, { entry: entries.notice(code, { code }), interrupts: true });
      await mount(element).updateComplete;
    }

    expect(announced).to.have.length(1);
    expect(announced[0]).to.contain('too long');
  });
});
