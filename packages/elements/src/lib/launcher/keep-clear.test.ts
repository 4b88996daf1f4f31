import '../../define-all.ts';
import { setViewport } from '@web/test-runner-commands';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, until } from '../testing/user.ts';
import type { InlayLauncher } from './launcher.ts';

let count = 0;

async function setup(options: Partial<InlayLauncher> = {}) {
  count += 1;
  const element = document.createElement('inlay-launcher');
  Object.assign(element, { baseUrl: `https://chat.example/clear-${count}` }, options);
  mount(element);
  await element.updateComplete;
  return { element, ...boxesOf(element) };
}

function boxesOf(element: Element) {
  const [bubble] = deepAll(element, '.bubble');
  if (!bubble) throw new Error('There is no bubble.');
  const top = () => Math.round(bubble.getBoundingClientRect().top);
  /** Distance between the bubble and the bottom of the window. */
  const bottom = () => Math.round(innerHeight - bubble.getBoundingClientRect().bottom);
  return { top, bottom };
}

/** Adds an element with this style to the page. */
function add(style: string, parent: ParentNode = document.body): HTMLElement {
  const element = document.createElement('div');
  element.style.cssText = style;
  return parent === document.body ? mount(element) : (parent.appendChild(element) as HTMLElement);
}

const settle = (distance: () => number, expected: number) =>
  until(
    () => `a distance of ${expected}, which is ${distance()}`,
    () => distance() === expected,
  );

const bar = (height: number) => `position: fixed; inset: auto 0 0; block-size: ${height}px`;

describe('keepClear', () => {
  const { innerWidth: width, innerHeight: height } = window;
  beforeEach(() => setViewport({ width: 1000, height: 700 }));
  after(() => setViewport({ width, height }));

  it('moves the bubble above a bar that is there, that appears, and that grows, and back when it is gone', async () => {
    const first = add(bar(80));
    const { bottom } = await setup();
    await settle(bottom, 92);

    first.remove();
    await settle(bottom, 20);

    const second = add(bar(50));
    await settle(bottom, 62);
    second.style.blockSize = '200px';
    await settle(bottom, 212);
  });

  it('moves the bubble above a bar that slides in, and above two bars', async () => {
    const { bottom } = await setup();
    const slide = [{ transform: 'translateY(100%)' }, { transform: 'none' }];
    add(bar(60)).animate(slide, { duration: 400, fill: 'backwards' });
    add('position: fixed; inset: auto 0 70px; block-size: 40px');

    await settle(bottom, 122);
  });

  it('moves the bubble above a bar in a shadow tree that is filled without a change of the page', async () => {
    const { bottom } = await setup();
    const root = add('').attachShadow({ mode: 'open' });
    // The checks after the change of the page have ended.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    add(bar(90), root);

    await settle(bottom, 102);
  });

  it('moves a bubble at the top below a fixed header', async () => {
    add('position: fixed; inset: 0 0 auto; block-size: 64px');
    const { top } = await setup({ placement: 'top-end' });

    await settle(top, 76);
  });

  it('moves the bubble above elements that match “avoid”, and reports an invalid selector once', async () => {
    const { error } = console;
    const errors: string[] = [];
    console.error = (text: string) => errors.push(text);
    add('position: absolute; inset-inline: 0; top: 600px; block-size: 100px').className = 'footer';
    const { element, bottom } = await setup();

    element.avoid = '.footer';
    await settle(bottom, 112);
    element.avoid = '..';
    await settle(bottom, 20);

    console.error = error;
    expect(errors).to.have.length(1);
    expect(errors[0]).to.contain('avoid').and.to.contain('“..”');
  });

  it('moves only the later one of two launchers', async () => {
    const first = await setup();
    const second = await setup();

    await settle(second.bottom, 88);
    expect(first.bottom()).to.equal(20);
  });

  it('ignores the content of the page, a fixed page that scrolls, a backdrop and an invisible bar', async () => {
    add('block-size: 5000px');
    const application = add('position: fixed; inset: 0; overflow: auto');
    for (let index = 0; index < 50; index += 1) {
      add('block-size: 60px', application).append(document.createElement('button'));
    }
    add('position: fixed; inset: 0');
    add(`${bar(80)}; opacity: 0`);
    const { bottom } = await setup();
    // A check that moves the bubble follows those that had to ignore the elements.
    const seen = add(bar(40));
    await settle(bottom, 52);
    seen.remove();

    await settle(bottom, 20);
  });

  it('covers no button of a dialog that leaves no room', async () => {
    const dialog = add('position: fixed; inset: 10px; overflow: auto');
    dialog.role = 'dialog';
    const button = dialog.appendChild(document.createElement('button'));
    button.style.cssText = 'position: absolute; inset: auto 0 0; block-size: 60px';
    const { bottom } = await setup();

    await settle(bottom, 82);
  });

  it('keeps the panel in the window, above the bubble or beside it', async () => {
    add(bar(80));
    const { element, bottom } = await setup({ open: true });
    element.style.setProperty('--inlay-panel-block-size', '2000px');
    await settle(bottom, 92);

    const [panel] = deepAll(element, 'dialog');
    for (const animation of panel?.getAnimations() ?? []) animation.finish();
    const box = () => panel?.getBoundingClientRect() as DOMRect;
    // The last frame of the transition may be off by a part of a pixel.
    expect(Math.round(box().top)).to.equal(20);
    expect(Math.round(box().bottom)).to.equal(700 - 92 - 56 - 12);

    add(bar(400));
    await settle(bottom, 412);
    expect(Math.round(box().top)).to.equal(20);
    expect(Math.round(box().height)).to.equal(320);
    expect(box().right).to.be.lessThan(1000 - 20 - 56);
  });
});
