import '../../define-all.ts';
import { expect, mount } from '../testing/fixture.ts';
import { renderComplete, renderInPieces } from '../testing/markdown.ts';
import { until } from '../testing/user.ts';

async function setup(text: string, streaming = false) {
  const box = mount(document.createElement('div'));
  box.style.cssText = 'block-size: 400px; overflow: auto';
  const element = document.createElement('inlay-markdown');
  Object.assign(element, { text, streaming });
  box.append(element);
  await element.updateComplete;
  const blocks = [...(element.shadowRoot?.querySelector('[part=content]')?.children ?? [])];
  return { box, blocks };
}

const isLaidOut = (block: Element | undefined) =>
  block?.firstElementChild?.checkVisibility({ contentVisibilityAuto: true });

describe('a long text', () => {
  it('is laid out only near the viewport, whether it streams or is complete', async () => {
    const text = '```js\nlet a = 1;\n```\n\n'.repeat(2_000);
    for (const streaming of [false, true]) {
      const { box, blocks } = await setup(text, streaming);

      await until('the first block', () => isLaidOut(blocks[0]));
      expect(isLaidOut(blocks.at(-1))).to.equal(false);
      // The height is estimated until blocks are laid out, so one scroll may not reach the end.
      await until('the last block', () => {
        box.scrollTop = box.scrollHeight;
        return isLaidOut(blocks.at(-1));
      });
      // Without this box, the box of the next iteration is inside the window, too.
      box.remove();
    }
  });

  it('is laid out completely if it is not longer than ordinary answers', async () => {
    const { blocks } = await setup('```js\nlet a = 1;\n```\n\n'.repeat(800));

    expect(isLaidOut(blocks.at(-1))).to.equal(true);
  });

  it('has at most 500 rendered formulas a paragraph, and shows the source of the others', () => {
    const text = '$x$ and '.repeat(502);
    for (const element of [renderComplete(text), renderInPieces(text, [3, 100, 7])]) {
      expect(element.querySelectorAll('.math')).to.have.length(500);
      expect(element.textContent).to.match(/^(x and ){500}\$x\$ and \$x\$ and$/);
    }
  });
});
