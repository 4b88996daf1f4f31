import '../../define-all.ts';
import { sendMouse, setViewport } from '@web/test-runner-commands';
import { afterwards, launcherIn } from '../testing/any-page.ts';
import { expect, mount } from '../testing/fixture.ts';
import { deepAll, until } from '../testing/user.ts';

const { innerWidth: width, innerHeight: height } = window;

function middle(bubble: Element): [number, number] {
  const { x, y, width: wide, height: high } = bubble.getBoundingClientRect();
  return [Math.round(x + wide / 2), Math.round(y + high / 2)];
}

describe('a launcher on a page with zoom', () => {
  beforeEach(() => setViewport({ width: 1000, height: 700 }));
  after(() => setViewport({ width, height }));

  it('follows the hand that drags it, and leaves room for its panel', async () => {
    document.documentElement.style.setProperty('zoom', '1.5');
    afterwards(() => document.documentElement.style.removeProperty('zoom'));
    const { launcher } = await launcherIn(mount(document.createElement('div')));
    const bubble = deepAll(launcher, '.bubble')[0] as HTMLElement;
    // Some engines measure in pixels of the page, others in those of the window.
    const scale = (56 * 1.5) / bubble.getBoundingClientRect().width;
    const seen = () => middle(bubble).map((value) => Math.round(value * scale));
    const [x = 0, y = 0] = seen();
    await sendMouse({ type: 'move', position: [x, y] });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: [x - 50, y - 50] });
    // WebKit tells of a move with the next frame.
    await until(
      () => `the bubble under the hand at ${x - 50}, not ${seen()[0]}`,
      () => Math.abs((seen()[0] ?? 0) - (x - 50)) <= 3,
    );
    await sendMouse({ type: 'move', position: [200, 350] });
    await sendMouse({ type: 'up' });
    await sendMouse({ type: 'move', position: [500, 5] });
    for (const animation of bubble.getAnimations()) animation.finish();
    expect(seen()[1]).to.be.closeTo(350, 4);
    expect(bubble.getBoundingClientRect().left * scale).to.be.closeTo(30, 1);

    launcher.open();
    await launcher.updateComplete;
    const [panel] = deepAll(launcher, 'dialog');
    for (const animation of panel?.getAnimations() ?? []) animation.finish();
    const box = panel?.getBoundingClientRect();
    expect((box?.top ?? 0) * scale).to.be.at.least(29);
    expect((box?.bottom ?? 0) * scale).to.be.at.most(671);
  });
});
