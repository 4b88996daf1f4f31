import '../../define-all.ts';
import { expect } from '../testing/fixture.ts';
import { mountList } from '../testing/thread.ts';
import { deepAll, until } from '../testing/user.ts';

describe('what a list draws for practice', () => {
  it('comes while nothing is said, cannot be seen or heard, and leaves nothing behind', async () => {
    const { element } = await mountList([]);
    const drawn: Element[] = [];
    const observer = new MutationObserver((records) => {
      const nodes = records.flatMap(({ addedNodes }) => [...addedNodes]);
      drawn.push(...nodes.filter((node) => node instanceof Element));
    });
    if (element.shadowRoot) observer.observe(element.shadowRoot, { childList: true });

    const all = 'requestIdleCallback' in globalThis ? 7 : 0;
    await until('the last of them', () => drawn.length === all);
    observer.disconnect();

    expect(drawn.map(({ localName }) => localName)).to.deep.equal(
      drawn.map(() => 'inlay-agent-message'),
    );
    expect(deepAll(element, 'inlay-agent-message')).to.deep.equal([]);

    // While it stands there, it has no height, and hidden text is neither read out nor found.
    element.shadowRoot?.append(...drawn);
    const seen = drawn.map((practice) => ({
      height: practice.clientHeight,
      visibility: getComputedStyle(practice).visibility,
    }));
    expect(seen).to.deep.equal(drawn.map(() => ({ height: 0, visibility: 'hidden' })));
  });
});
