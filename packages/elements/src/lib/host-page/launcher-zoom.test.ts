import '../../define-all.ts';
import { sendMouse, setViewport } from '@web/test-runner-commands';
import { expect, mount } from '../testing/fixture.ts';
import { mountLauncher, onTestEnd } from '../testing/host-page.ts';
import { deepAll, until } from '../testing/user.ts';

const { innerWidth: width, innerHeight: height } = window;

/** The centre of an element, in whole pixels. */
function centreOf(bubble: Element): [number, number] {
  const { x, y, width: wide, height: high } = bubble.getBoundingClientRect();
  return [Math.round(x + wide / 2), Math.round(y + high / 2)];
}

describe('inlay-launcher in a page with zoom', () => {
  beforeEach(() => setViewport({ width: 1000, height: 700 }));
  after(() => setViewport({ width, height }));

  it('follows the pointer that drags it, and keeps its panel within the window', async () => {
    document.documentElement.style.setProperty('zoom', '1.5');
    onTestEnd(() => document.documentElement.style.removeProperty('zoom'));
    const { launcher } = await mountLauncher(mount(document.createElement('div')));
    const bubble = deepAll(launcher, '.bubble')[0] as HTMLElement;
    // Some engines return zoomed pixels from getBoundingClientRect, others unzoomed ones.
    const scale = (56 * 1.5) / bubble.getBoundingClientRect().width;
    const centre = () => centreOf(bubble).map((value) => Math.round(value * scale));
    const [x = 0, y = 0] = centre();
    await sendMouse({ type: 'move', position: [x, y] });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: [x - 50, y - 50] });
    // WebKit dispatches pointermove in the next frame.
    await until(
      () => `the bubble under the pointer at ${x - 50}, not ${centre()[0]}`,
      () => Math.abs((centre()[0] ?? 0) - (x - 50)) <= 3,
    );
    await sendMouse({ type: 'move', position: [200, 350] });
    await sendMouse({ type: 'up' });
    await sendMouse({ type: 'move', position: [500, 5] });
    for (const animation of bubble.getAnimations()) animation.finish();
    expect(centre()[1]).to.be.closeTo(350, 4);
    expect(bubble.getBoundingClientRect().left * scale).to.be.closeTo(30, 1);

    launcher.show();
    await launcher.updateComplete;
    const [panel] = deepAll(launcher, 'dialog');
    for (const animation of panel?.getAnimations() ?? []) animation.finish();
    const box = panel?.getBoundingClientRect();
    expect((box?.top ?? 0) * scale).to.be.at.least(29);
    expect((box?.bottom ?? 0) * scale).to.be.at.most(671);
  });
});
