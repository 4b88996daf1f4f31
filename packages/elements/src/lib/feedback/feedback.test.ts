import '../../define-all.ts';
import { feedbackReasons } from '@inlay/protocol';
import type { EntryUiStates, FeedbackDraft } from '../entry-ui-state.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, finishAnimations, User } from '../testing/user.ts';

async function setup(rating: FeedbackDraft['rating']) {
  const element = mount(document.createElement('inlay-feedback'));
  const uiStates: EntryUiStates = new Map();
  Object.assign(element, { entryKey: 'a', draft: { rating, reasons: [], comment: '' }, uiStates });
  await element.updateComplete;
  const ratings: unknown[] = [];
  const sentFlags: boolean[] = [];
  element.addEventListener('inlay-entry-rating-request', ({ detail }) => ratings.push(detail));
  element.addEventListener('inlay-feedback-end', (event) => {
    if (event instanceof CustomEvent) sentFlags.push(event.detail.sent);
  });
  return { element, user: new User(element), uiStates, ratings, sentFlags };
}

describe('inlay-feedback', () => {
  it('passes the accessibility audit with a selected reason', async () => {
    const { element, user } = await setup('down');
    await user.click('Incomplete');
    await element.updateComplete;
    finishAnimations(element);

    await expectAccessible(element);
  });

  it('shows the placeholder in the direction of the page, and a comment in its own', async () => {
    const { element, user } = await setup('down');
    element.dir = 'rtl';
    const [field] = deepAll(element, 'textarea');
    const directionOfField = () => field && getComputedStyle(field).direction;
    expect(directionOfField()).to.equal('rtl');
    user.type('Too short');

    expect(directionOfField()).to.equal('ltr');
  });

  it('offers every reason of the protocol for good or for bad ratings', async () => {
    const sentReasons: string[] = [];
    for (const rating of ['up', 'down'] as const) {
      const { element, user, ratings } = await setup(rating);
      for (const chip of deepAll(element, '.reason')) chip.click();
      await user.click('Send feedback');
      sentReasons.push(...(ratings as [{ reasons: string[] }])[0].reasons);
    }

    expect([...new Set(sentReasons)].sort()).to.deep.equal([...feedbackReasons].sort());
  });

  it('sends the selected reasons and the comment', async () => {
    const { user, ratings, sentFlags } = await setup('down');
    await user.click('Incomplete');
    await user.click('Hard to follow');
    await user.click('Incomplete');
    user.type('  The size is missing. ');

    await user.click('Send feedback');

    expect(ratings).to.deep.equal([
      { key: 'a', rating: 'down', reasons: ['unclear'], comment: 'The size is missing.' },
    ]);
    expect(sentFlags).to.deep.equal([true]);
  });

  it('stores the draft in the UI state', async () => {
    const { user, uiStates } = await setup('up');
    await user.click('Clear');
    user.type('Thanks');

    expect(uiStates.get('a')?.feedback).to.deep.equal({
      rating: 'up',
      reasons: ['clear'],
      comment: 'Thanks',
    });
  });

  it('sends nothing if it is empty, skipped or closed with Escape', async () => {
    const { user, ratings, sentFlags } = await setup('up');

    await user.click('Send feedback');
    await user.click('Skip');
    const key = user.press('Escape');

    expect(key.defaultPrevented).to.equal(true);
    expect(ratings).to.deep.equal([]);
    expect(sentFlags).to.deep.equal([false, false, false]);
  });
});
