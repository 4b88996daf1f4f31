import '../../define-all.ts';
import type { Allowance } from '@inlay/protocol';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { User } from '../testing/user.ts';
import { mostUsedQuota } from './most-used-quota.ts';

const session = (used: number): Allowance => ({ type: 'session', used, resets_at: null });

describe('inlay-quota', () => {
  const show = (quota: Allowance) => {
    const element = mount(Object.assign(document.createElement('inlay-quota'), { quota }));
    return { element, user: new User(element) };
  };

  it('shows the used share of a session’s budget, rounded down', async () => {
    const { element, user } = show(session(0.996));

    await user.sees('You’ve used 99% of this conversation’s limit.');
    await expectAccessible(element);
  });

  it('shows when a daily quota resets', async () => {
    const midnight = new Date();
    midnight.setHours(24, 0, 0, 0);
    const { user } = show({ type: 'day', used: 0.9, resets_at: midnight.toISOString() });

    await user.sees('You’ve used 90% of today’s limit. Resets');
    expect(user.text).to.match(/12:00/);
  });

  it('shows no reset time if the time is invalid', async () => {
    const { user } = show({ type: 'day', used: 0.9, resets_at: 'soon' });

    await user.sees('You’ve used 90% of today’s limit.');
    expect(user.text).not.to.contain('Resets');
  });
});

describe('mostUsedQuota', () => {
  it('returns the most used quota, or null if all quotas are used by less than 80%', () => {
    const day = { type: 'day', used: 0.85, resets_at: null };

    expect(mostUsedQuota([])).to.equal(null);
    expect(mostUsedQuota([session(0.79), { ...day, used: 0.1 }])).to.equal(null);
    expect(mostUsedQuota([session(0.81), day])).to.equal(day);
  });
});
