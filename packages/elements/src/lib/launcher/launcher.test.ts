import '../../define-all.ts';
import { setViewport } from '@web/test-runner-commands';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { events, testPlatform } from '../testing/platform.ts';
import { deepAll, finishAnimations, User, until } from '../testing/user.ts';
import type { InlayLauncher } from './launcher.ts';

async function setup(options: Partial<InlayLauncher> = {}) {
  const platform = testPlatform();
  const element = document.createElement('inlay-launcher');
  Object.assign(element, { baseUrl: platform.baseUrl, getToken: () => 'et_kim_1' }, options);
  mount(element);
  await element.updateComplete;
  return { element, platform, user: new User(element) };
}

describe('inlay-launcher', () => {
  it('passes the accessibility audit when closed and when open', async () => {
    const { element, user } = await setup();
    await expectAccessible(element);
    await user.click('Open chat');
    await user.sees('Hello kim');
    finishAnimations(element);
    await expectAccessible(element);
  });

  it('creates the chat and sends requests only when it is first opened', async () => {
    const { element, platform, user } = await setup();
    await nextFrame();
    expect(element.chat).to.equal(null);
    expect(await platform.requests()).to.deep.equal([]);

    await user.click('Open chat');
    await user.sees('Hello kim');
  });

  it('closes on Escape in the page if the panel covers the focused element, and stays open otherwise', async () => {
    const { element, user } = await setup();
    const button = mount(document.createElement('button'));
    const place = (edge: string) => {
      button.style.cssText = `position: fixed; ${edge}: 40px; top: 50%`;
    };
    const pressEscape = () => {
      button.focus();
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    };
    await user.click('Open chat');
    await until('the focus', () => deepAll(element, 'textarea')[0]?.matches(':focus'));
    place('left');
    pressEscape();
    expect(element.opened).to.equal(true);

    place('right');
    pressEscape();
    expect(element.opened).to.equal(false);
  });

  it('moves focus to the composer when it opens, and restores focus on Escape', async () => {
    const { element, user } = await setup();
    await user.click('Open chat');
    await until('the focus', () => deepAll(element, 'textarea')[0]?.matches(':focus'));

    user.press('Escape');

    await until('the bubble', () => user.buttons('Open chat')[0]?.matches(':focus'));
    expect(element.opened).to.equal(false);
  });

  it('does not move focus if the page opens the panel with the property `opened`', async () => {
    const { user } = await setup({ opened: true });
    await user.sees('Hello kim');

    expect(document.activeElement).to.equal(document.body);
  });

  it('reflects whether it is open in an attribute and in aria-expanded', async () => {
    const { element, user } = await setup();
    const dispatched: string[] = [];
    for (const name of ['inlay-open', 'inlay-close'] as const) {
      element.addEventListener(name, () => dispatched.push(name));
    }
    const bubble = user.buttons('Open chat')[0];
    expect(bubble?.ariaExpanded).to.equal('false');

    element.open();
    element.open();
    await element.updateComplete;
    expect(element.hasAttribute('open')).to.equal(true);
    expect(bubble?.ariaExpanded).to.equal('true');
    element.close();
    await element.updateComplete;

    expect(element.hasAttribute('open')).to.equal(false);
    expect(dispatched).to.deep.equal(['inlay-open', 'inlay-close']);
  });

  it('accepts `open` as a property, which frameworks set instead of the attribute, and keeps the method', async () => {
    const { element, user } = await setup();

    for (const [value, opened] of [
      [true, true],
      [false, false],
      ['', true],
      [undefined, false],
      ['true', true],
      ['false', false],
    ] as const) {
      Reflect.set(element, 'open', value);
      expect(element.opened, String(value)).to.equal(opened);
    }

    await user.click('Open chat');
    await user.sees('Hello kim');
    element.close();
    element.open();
    expect(element.opened).to.equal(true);
  });

  it('counts the messages that are completed while it is closed', async () => {
    const { element, platform, user } = await setup();
    element.open();
    await user.sees('Hello kim');
    await user.say('Hi');
    await until('the session', () => element.chat?.currentSessionId);
    element.close();
    await element.updateComplete;

    await platform.append(events.running(), events.agent('Done.'), events.idle());

    await until('the badge', () => user.buttons('Open chat, 1 unread message')[0]);
    element.open();
    await element.updateComplete;
    expect(deepAll(element, '.badge')).to.have.length(0);
  });

  it('keeps the draft while it is closed', async () => {
    const { element, user } = await setup();
    element.open();
    await user.sees('Hello kim');
    user.type('Half a thought');

    element.close();
    await element.updateComplete;
    element.open();
    await element.updateComplete;

    expect(user.field.value).to.equal('Half a thought');
  });

  it('does not lock scrolling in a large window', async () => {
    const { element } = await setup();
    element.open();
    await element.updateComplete;

    expect(getComputedStyle(document.documentElement).overflow).to.equal('visible');
  });

  it('covers a small window as a modal dialog, and locks scrolling', async () => {
    const { innerWidth: width, innerHeight: height } = window;
    const { element, user } = await setup();
    await setViewport({ width: 390, height: 700 });
    element.open();
    await user.sees('Hello kim');

    const [panel] = deepAll(element, 'dialog');
    expect(panel?.matches(':modal')).to.equal(true);
    expect(panel?.offsetWidth).to.equal(390);
    expect(document.documentElement.style.overflow).to.equal('hidden');

    element.close();
    await element.updateComplete;
    expect(document.documentElement.style.overflow).to.equal('');
    await setViewport({ width, height });
  });

  it('passes its options to the chat, also when they change', async () => {
    const { element, user } = await setup({ heading: 'Support' });
    element.open();
    await user.sees('Hello kim');
    expect(user.text).to.contain('Support');

    element.heading = 'Helpdesk';
    await user.sees('Helpdesk');
  });
});
