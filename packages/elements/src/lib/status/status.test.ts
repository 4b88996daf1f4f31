import '../../define-all.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, finishAnimations, User } from '../testing/user.ts';
import { authViews } from './auth-views.ts';
import type { InlayStatus } from './status.ts';

async function setup(options: Partial<InlayStatus> = {}) {
  const element = mount(Object.assign(document.createElement('inlay-status'), options));
  await element.updateComplete;
  return { element, user: new User(element) };
}

describe('inlay-status', () => {
  it('passes the accessibility audit in every state', async () => {
    for (const status of Object.keys(authViews) as (keyof typeof authViews)[]) {
      await expectAccessible((await setup({ status, canReconnect: true })).element);
    }
  });

  it('aligns the icon with the title', async () => {
    for (const status of Object.keys(authViews) as (keyof typeof authViews)[]) {
      const { element } = await setup({ status, canReconnect: true });
      const middleOf = (selector: string) => {
        const box = deepAll(element, selector)[0]?.getBoundingClientRect() ?? new DOMRect();
        return box.top + box.height / 2;
      };

      expect(middleOf('.banner > svg'), status).to.be.closeTo(middleOf('strong'), 2);
    }
  });

  it('has a distinct text for every state', async () => {
    const texts = new Set<string>();
    for (const status of Object.keys(authViews) as (keyof typeof authViews)[]) {
      texts.add((await setup({ status })).user.text);
    }

    expect(texts.size).to.equal(Object.keys(authViews).length);
    expect((await setup({ status: 'ok' })).user.text).to.equal('');
  });

  it('requests one announcement for each loss of access, and has no live region', async () => {
    const element = document.createElement('inlay-status');
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));
    mount(element);
    await element.updateComplete;
    expect(announced).to.deep.equal([]);

    element.status = 'revoked';
    await element.updateComplete;
    element.draft = true;
    await element.updateComplete;
    element.status = 'ok';
    await element.updateComplete;
    element.status = 'revoked';
    await element.updateComplete;

    expect(announced).to.have.length(2);
    expect(announced[0]).to.match(/^Your access has ended\. You can read this conversation/);
    expect(deepAll(element, '[role=status], [aria-live]')).to.have.length(0);
  });

  it('makes a banner inert while it fades out, and takes no space for it', async () => {
    const { element, user } = await setup({ status: 'offline' });
    const [box] = deepAll(element, '.banner');
    expect(element.offsetHeight).not.to.equal(0);
    element.status = 'ok';
    await element.updateComplete;

    expect(box?.closest('[inert]')).not.to.equal(null);
    expect(user.text).to.equal('');
    expect(element.offsetHeight).to.equal(0);
    finishAnimations(element);
    expect(box?.checkVisibility()).to.equal(false);
  });

  it('shows a token refresh only if the refresh is slow', async () => {
    const { element } = await setup({ status: 'refreshing' });
    const [line] = deepAll(element, '.refreshing');

    expect(line && getComputedStyle(line).visibility).to.equal('hidden');
    const [animation] = line?.getAnimations() ?? [];
    animation?.finish();
    expect(line && getComputedStyle(line).visibility).to.equal('visible');
  });

  it('offers to reconnect now, and shows the time of the next attempt', async () => {
    const retryAt = Date.now() + 86_400_000 * 2;
    const { element, user } = await setup({ status: 'refreshing', canReconnect: true, retryAt });
    let requested = 0;
    element.addEventListener('inlay-reconnect', () => {
      requested += 1;
    });

    expect(user.text).to.match(/Waiting until .*\d/);
    element.renderRoot.querySelector('.refreshing')?.getAnimations()[0]?.finish();
    await user.click('Reconnect now');
    expect(requested).to.equal(1);
  });

  it('offers to reconnect if `canReconnect` is set, and disables the button while `busy` is set', async () => {
    const { element, user } = await setup({ status: 'revoked', canReconnect: true });
    // Reconnecting may have no effect, so the button is not the main action.
    expect(user.buttons('Reconnect')[0]?.classList.contains('primary')).to.equal(false);
    let requested = 0;
    element.addEventListener('inlay-reconnect', () => {
      requested += 1;
    });
    await user.click('Reconnect');
    expect(requested).to.equal(1);

    element.busy = true;
    await element.updateComplete;
    expect(user.buttons('Reconnect')[0]?.disabled).to.equal(true);
    expect((await setup({ status: 'blocked' })).user.buttons('Reconnect')).to.have.length(0);
    // Nothing was connected before.
    const unavailable = await setup({ status: 'unavailable', canReconnect: true });
    expect(unavailable.user.buttons('Try again')).to.have.length(1);
  });

  it('offers no retry while a limit is reached, which only time or a new conversation changes', async () => {
    const buttonsOf = async (options: Partial<InlayStatus>) => {
      const { element } = await setup({ status: 'over_budget', canReconnect: true, ...options });
      return deepAll<HTMLButtonElement>(element, 'button').map(({ innerText }) => innerText.trim());
    };

    expect(await buttonsOf({ resetsAt: 1_000 })).to.deep.equal([]);
    expect(await buttonsOf({ resetsAt: null })).to.deep.equal(['New conversation']);
  });

  it('does not mention a reconnect if an expired token can’t be replaced', async () => {
    const { user } = await setup({ status: 'expired', canReconnect: false });

    expect(user.text).to.contain('go back to the page where you opened this chat');
    expect(user.text).not.to.match(/reconnect/i);
  });

  it('shows that the draft is saved only if it can’t be sent', async () => {
    const draftBlocked = await setup({ status: 'expired', draft: true });
    expect(draftBlocked.user.text).to.contain('Your draft is saved.');
    const draftQueued = await setup({ status: 'offline', draft: true });
    expect(draftQueued.user.text).not.to.contain('draft is saved');
  });
});
