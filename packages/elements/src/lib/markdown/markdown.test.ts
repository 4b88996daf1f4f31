import fc from 'fast-check';
import '../../define.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';

describe('inlay-markdown', () => {
  it('passes the accessibility audit', async () => {
    const element = mount(document.createElement('inlay-markdown'));
    element.text =
      '# Hello\n\nA *b* **c** `d` [e](http://f.g)\n\n- [x] a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nx\n```\n';
    await element.updateComplete;
    await expectAccessible(element);
    console.log(element.shadowRoot?.innerHTML);
    expect(element.shadowRoot?.textContent).to.contain('Hello');
  });
});
