import '../../define-all.ts';
import { setViewport } from '@web/test-runner-commands';
import { expectAccessible } from '../testing/accessible.ts';
import { applyMedia } from '../testing/apply-media.ts';
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

  it('puts the text of setDraft() into the field when it is first opened', async () => {
    const { element, platform, user } = await setup();
    element.setDraft('From the page');
    await nextFrame();
    expect(element.chat).to.equal(null);

    element.show();

    await user.sees('Hello kim');
    expect(user.field.value).to.equal('From the page');
    element.hide();
    element.setDraft('Later');
    element.show();
    await until('the later text', () => user.field.value === 'Later');
    expect(platform.requests().filter(({ name }) => name.startsWith('POST /s'))).to.deep.equal([]);
  });

  it('opens out of the bubble, opaque, and shrinks into it before it is hidden', async () => {
    const { element } = await setup();
    const [bubble] = deepAll(element, '.bubble');
    element.show();
    await element.updateComplete;
    const [panel] = deepAll<HTMLDialogElement>(element, 'dialog');
    if (!bubble || !panel) throw new Error('There is no panel.');
    const animation = (name: string) =>
      panel.getAnimations().find((each) => (each as CSSAnimation).animationName === name);

    const arrival = animation('arrive') as Animation;
    arrival.pause();
    arrival.currentTime = 0;
    const { clipPath, opacity } = getComputedStyle(panel);
    expect(opacity).to.equal('1');
    expect(clipPath).to.contain('100% - 56px');
    // The visible part of the panel is the square at its lower edge.
    const { bottom } = panel.getBoundingClientRect();
    expect(Math.round(bottom)).to.equal(Math.round(bubble.getBoundingClientRect().bottom));
    // Outside the panel, the shape would contain only a part of the shadow.
    arrival.currentTime = 100;
    expect(getComputedStyle(panel).clipPath).to.not.match(/ -[\d.]+px/);

    finishAnimations(element);
    element.hide();
    await element.updateComplete;
    // Without transitions of `display`, as in Firefox 153 and WebKitGTK, the panel is hidden at once.
    if (navigator.userAgent.includes('Chrome')) {
      expect(animation('leave')).to.not.equal(undefined);
      expect(panel.getClientRects()).to.have.length(1);
    }
    for (const each of panel.getAnimations()) each.finish();
    await nextFrame();
    expect(panel.getClientRects()).to.have.length(0);
  });

  it('only fades if the user prefers reduced motion', async () => {
    const { element } = await setup();
    applyMedia(element, 'prefers-reduced-motion: reduce');
    /** The animated properties of the panel, other than those that hide the panel after its animations. */
    const animated = () =>
      (deepAll(element, 'dialog')[0]?.getAnimations() ?? []).flatMap((each) => {
        const keyframes = (each.effect as KeyframeEffect).getKeyframes();
        return Object.keys(Object.assign({}, ...keyframes)).filter((name) =>
          /^(?!display|overlay|offset|computedOffset|easing|composite)/.test(name),
        );
      });

    element.show();
    await element.updateComplete;
    expect(animated()).to.deep.equal(['opacity']);
    finishAnimations(element);
    element.hide();
    await element.updateComplete;
    // Without transitions of `display`, as in Firefox 153 and WebKitGTK, the panel is hidden at once.
    expect(animated()).to.deep.equal(navigator.userAgent.includes('Chrome') ? ['opacity'] : []);
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
    expect(element.open).to.equal(true);

    place('right');
    pressEscape();
    expect(element.open).to.equal(false);
  });

  it('moves focus to the composer when it opens, and restores focus on Escape', async () => {
    const { element, user } = await setup();
    await user.click('Open chat');
    await until('the focus', () => deepAll(element, 'textarea')[0]?.matches(':focus'));

    user.press('Escape');

    await until('the bubble', () => user.buttons('Open chat')[0]?.matches(':focus'));
    expect(element.open).to.equal(false);
  });

  it('does not move focus if the page opens the panel with the property `open`', async () => {
    const { user } = await setup({ open: true });
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

    element.show();
    element.show();
    await element.updateComplete;
    expect(element.hasAttribute('open')).to.equal(true);
    expect(bubble?.ariaExpanded).to.equal('true');
    element.hide();
    await element.updateComplete;

    expect(element.hasAttribute('open')).to.equal(false);
    expect(dispatched).to.deep.equal(['inlay-open', 'inlay-close']);
  });

  it('is opened and closed by its property `open`, which frameworks set instead of the attribute', async () => {
    const { element, user } = await setup();

    element.open = true;
    await user.sees('Hello kim');
    expect(element.getAttribute('open')).to.equal('');
    element.open = false;
    await element.updateComplete;
    expect(element.hasAttribute('open')).to.equal(false);
    element.show();
    expect(element.open).to.equal(true);
  });

  it('counts the messages that are completed while it is closed', async () => {
    const { element, platform, user } = await setup();
    element.show();
    await user.sees('Hello kim');
    await user.say('Hi');
    await until('the session', () => element.chat?.currentSessionId);
    element.hide();
    await element.updateComplete;

    await platform.append(events.running(), events.agent('Done.'), events.idle());

    await until('the badge', () => user.buttons('Open chat, 1 unread message')[0]);
    element.show();
    await element.updateComplete;
    expect(deepAll(element, '.badge')).to.have.length(0);
  });

  it('keeps the draft while it is closed', async () => {
    const { element, user } = await setup();
    element.show();
    await user.sees('Hello kim');
    user.type('Half a thought');

    element.hide();
    await element.updateComplete;
    element.show();
    await element.updateComplete;

    expect(user.field.value).to.equal('Half a thought');
  });

  it('does not lock scrolling in a large window', async () => {
    const { element } = await setup();
    element.show();
    await element.updateComplete;

    expect(getComputedStyle(document.documentElement).overflow).to.equal('visible');
  });

  it('covers a small window as a modal dialog, and locks scrolling', async () => {
    const { innerWidth: width, innerHeight: height } = window;
    const { element, user } = await setup();
    await setViewport({ width: 390, height: 700 });
    element.show();
    await user.sees('Hello kim');

    const [panel] = deepAll(element, 'dialog');
    expect(panel?.matches(':modal')).to.equal(true);
    expect(panel?.offsetWidth).to.equal(390);
    expect(document.documentElement.style.overflow).to.equal('hidden');

    element.hide();
    await element.updateComplete;
    expect(document.documentElement.style.overflow).to.equal('');
    await setViewport({ width, height });
  });

  it('passes its options to the chat, also when they change', async () => {
    const { element, user } = await setup({ heading: 'Support' });
    element.show();
    await user.sees('Hello kim');
    expect(user.text).to.contain('Support');

    element.heading = 'Helpdesk';
    await user.sees('Helpdesk');
  });
});
