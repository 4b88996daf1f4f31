import '../../define-all.ts';
import { sendKeys, sendMouse, setViewport } from '@web/test-runner-commands';
import { expect, mount, nextFrame } from '../testing/fixture.ts';
import { deepAll } from '../testing/user.ts';
import type { InlayLauncher } from './launcher.ts';

let count = 0;

async function setup(options: Partial<InlayLauncher> = {}, parent: Element = document.body) {
  count += 1;
  const element = document.createElement('inlay-launcher');
  Object.assign(element, { baseUrl: `https://chat.example/place-${count}` }, options);
  if (parent === document.body) mount(element);
  else parent.append(element);
  await element.updateComplete;
  const [bubble] = deepAll<HTMLButtonElement>(element, '.bubble');
  if (!bubble) throw new Error('There is no bubble.');
  return { element, bubble };
}

/** Distances to the edges of the window, in whole pixels. */
function edges(bubble: Element) {
  const { left, right, top, bottom } = bubble.getBoundingClientRect();
  return {
    left: Math.round(left),
    right: Math.round(document.documentElement.clientWidth - right),
    top: Math.round(top),
    bottom: Math.round(window.innerHeight - bottom),
  };
}

/** The centre of an element, in whole pixels. */
function centreOf(bubble: Element): [number, number] {
  const { x, y, width, height } = bubble.getBoundingClientRect();
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
}

async function drag(bubble: Element, to: [number, number]) {
  const [x, y] = centreOf(bubble);
  await sendMouse({ type: 'move', position: [x, y] });
  await sendMouse({ type: 'down' });
  await sendMouse({ type: 'move', position: [x, y - 20] });
  await sendMouse({ type: 'move', position: to });
  await sendMouse({ type: 'up' });
  // Hovering raises the bubble by a pixel.
  await sendMouse({ type: 'move', position: [500, 5] });
  for (const animation of bubble.getAnimations()) animation.finish();
  await nextFrame();
}

describe('position of inlay-launcher', () => {
  const { innerWidth: width, innerHeight: height } = window;
  beforeEach(() => setViewport({ width: 1000, height: 700 }));
  after(() => setViewport({ width, height }));

  it('follows the first finger of a drag while a second one touches the bubble', async () => {
    const { bubble } = await setup();
    const [x, y] = centreOf(bubble);
    const touch = (type: string, pointerId: number, clientX: number) =>
      bubble.dispatchEvent(
        new PointerEvent(type, { pointerId, isPrimary: pointerId === 1, clientX, clientY: y }),
      );
    touch('pointerdown', 1, x);
    touch('pointermove', 1, x - 100);
    touch('pointerdown', 2, x - 100);
    touch('pointerup', 2, x - 100);
    touch('pointermove', 1, 100);
    touch('pointerup', 1, 100);
    for (const animation of bubble.getAnimations()) animation.finish();
    await nextFrame();

    expect(edges(bubble).left).to.be.lessThan(100);
  });

  it('is set by the placement and the offset options', async () => {
    const { element, bubble } = await setup({ offsetInline: 40, offsetBlock: 8 });
    expect(edges(bubble)).to.include({ right: 40, bottom: 8 });

    element.placement = 'top-start';
    await element.updateComplete;
    expect(edges(bubble)).to.include({ left: 40, top: 8 });

    element.offsetInline = null;
    element.style.setProperty('--inlay-launcher-offset-inline', '3px');
    await element.updateComplete;
    expect(edges(bubble)).to.include({ left: 3, top: 8 });
  });

  it('is above elements of the page with a lower z-index than --inlay-z-index', async () => {
    const { element, bubble } = await setup();
    const cover = mount(document.createElement('div'));
    cover.style.cssText = 'position: fixed; inset: 0; z-index: 50';
    const top = () => document.elementFromPoint(...centreOf(bubble));
    expect(top()).to.equal(element);

    element.style.setProperty('--inlay-z-index', '40');
    expect(top()).to.equal(cover);

    element.style.setProperty('--inlay-z-index', '60');
    expect(top()).to.equal(element);
  });

  it('is mirrored on a right-to-left page', async () => {
    document.documentElement.dir = 'rtl';
    const { bubble } = await setup();

    expect(Math.round(bubble.getBoundingClientRect().left)).to.equal(20);
    document.documentElement.removeAttribute('dir');
  });

  it('is at the nearer side after a drag, which does not open the panel', async () => {
    const { element, bubble } = await setup();

    await drag(bubble, [300, 350]);

    expect(edges(bubble).left).to.equal(20);
    expect(centreOf(bubble)[1]).to.be.closeTo(350, 2);
    expect(element.open).to.equal(false);
  });

  it('does not change when the pointer moves by 2 px during a click, which opens the panel', async () => {
    const { element, bubble } = await setup();
    const before = edges(bubble);
    const [x, y] = centreOf(bubble);

    await sendMouse({ type: 'move', position: [x, y] });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: [x + 2, y - 2] });
    await sendMouse({ type: 'up' });

    expect(element.open).to.equal(true);
    await sendMouse({ type: 'move', position: [0, 0] });
    for (const animation of bubble.getAnimations()) animation.finish();
    expect(edges(bubble)).to.deep.equal(before);
  });

  it('snaps to a corner, and stays inside a shrinking window', async () => {
    const { bubble } = await setup();
    await drag(bubble, [990, 30]);
    expect(edges(bubble)).to.include({ top: 20, right: 20 });

    await drag(bubble, [40, 500]);
    await setViewport({ width: 600, height: 430 });
    await nextFrame();

    const { left, top, bottom } = edges(bubble);
    expect(left).to.equal(20);
    expect(top).to.be.greaterThan(19);
    expect(bottom).to.be.greaterThan(19);
  });

  it('is kept across page loads, separately for each publishable key', async () => {
    const key = `pk_${Math.random()}`;
    const first = await setup({ baseUrl: '', publishableKey: key });
    await drag(first.bubble, [100, 350]);
    first.element.remove();

    const reloaded = await setup({ baseUrl: '', publishableKey: key });
    const other = await setup({ baseUrl: '', publishableKey: `${key}_other` });

    expect(edges(reloaded.bubble).left).to.equal(20);
    expect(edges(other.bubble).right).to.equal(20);
  });

  it('changes with Shift and the arrow keys, but not without Shift', async () => {
    const { bubble } = await setup();
    bubble.focus();

    await sendKeys({ press: 'Shift+ArrowUp' });
    await sendKeys({ press: 'Shift+ArrowLeft' });
    await sendKeys({ press: 'ArrowRight' });
    for (const animation of bubble.getAnimations()) animation.finish();

    expect(edges(bubble).left).to.equal(20);
    expect(edges(bubble).bottom).to.equal(Math.round(20 + (700 - 40 - 56) / 4));
    expect(bubble.matches(':focus')).to.equal(true);
  });

  it('moves to the next corner on a right click', async () => {
    const { element, bubble } = await setup();
    const positions = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await sendMouse({ type: 'click', position: centreOf(bubble), button: 'right' });
      await element.updateComplete;
      const { left, top } = edges(bubble);
      positions.push(`${top < 300 ? 'top' : 'bottom'} ${left < 300 ? 'left' : 'right'}`);
    }

    expect(positions).to.deep.equal(['bottom left', 'top left', 'top right', 'bottom right']);
    expect(element.open).to.equal(false);
  });

  it('can’t be changed by the user if no-drag is set', async () => {
    const { bubble } = await setup({ noDrag: true });
    const before = edges(bubble);
    await drag(bubble, [300, 350]);
    bubble.focus();
    await sendKeys({ press: 'Shift+ArrowUp' });

    expect(edges(bubble)).to.deep.equal(before);
  });

  for (const up of [0, 0.5, 1]) {
    it(`at the relative height ${up} leaves room for a panel that does not overlap the button`, async () => {
      const { element, bubble } = await setup({ place: { side: 'start', up } });
      element.show();
      await element.updateComplete;
      const [panel] = deepAll(element, 'dialog');
      for (const animation of panel?.getAnimations() ?? []) animation.finish();

      const box = panel?.getBoundingClientRect() as DOMRect;
      const bubbleBox = bubble.getBoundingClientRect();
      const isApart =
        box.left >= bubbleBox.right || box.bottom <= bubbleBox.top || box.top >= bubbleBox.bottom;
      expect(isApart).to.equal(true);
      expect(box.top).to.be.at.least(19.5);
      expect(box.bottom).to.be.at.most(680.5);
      expect(box.width).to.equal(404);
      element.remove();
    });
  }

  it('is relative to the window inside a transformed ancestor, even in another shadow tree', async () => {
    const outer = mount(document.createElement('div'));
    outer.style.cssText = 'transform: translateX(40px); inline-size: 300px; overflow: hidden';
    const root = outer.attachShadow({ mode: 'open' });
    const inner = root.appendChild(document.createElement('div'));
    const { element, bubble } = await setup({}, inner);

    expect(edges(bubble)).to.include({ right: 20, bottom: 20 });
    const [x, y] = centreOf(bubble);
    await sendMouse({ type: 'click', position: [x, y] });
    expect(element.open).to.equal(true);
    expect(element.matches(':not(:popover-open)')).to.equal(true);
  });

  it('does not affect the layout of a plain page, and does not use the top layer', async () => {
    const before = document.documentElement.scrollHeight;
    const { element } = await setup();

    expect(document.documentElement.scrollHeight).to.equal(before);
    expect(deepAll(element, '[popover]')).to.have.length(0);
  });
});
