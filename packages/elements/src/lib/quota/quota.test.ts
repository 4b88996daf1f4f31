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

  it('says how much of a conversation is used, and never rounds up to all of it', async () => {
    const { element, user } = show(session(0.996));

    await user.sees('99% of what this conversation may use is used.');
    await expectAccessible(element);
  });

  it('says of what is used on a day when it begins anew', async () => {
    const midnight = new Date();
    midnight.setHours(24, 0, 0, 0);
    const { user } = show({ type: 'day', used: 0.9, resets_at: midnight.toISOString() });

    await user.sees('90% of what this chat may use today is used. There is more from');
    expect(user.text).to.match(/12:00/);
  });

  it('bears a time that it can’t read', async () => {
    const { user } = show({ type: 'day', used: 0.9, resets_at: 'soon' });

    await user.sees('90% of what this chat may use today is used.');
    expect(user.text).not.to.contain('There is more');
  });
});

describe('mostUsedQuota', () => {
  it('is silent while there is plenty, and names what is nearest to its end', () => {
    const day = { type: 'day', used: 0.85, resets_at: null };

    expect(mostUsedQuota([])).to.equal(null);
    expect(mostUsedQuota([session(0.79), { ...day, used: 0.1 }])).to.equal(null);
    expect(mostUsedQuota([session(0.81), day])).to.equal(day);
  });
});
