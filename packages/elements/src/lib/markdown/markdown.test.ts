import '../../define.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { expect, mount } from '../testing/fixture.ts';

describe('inlay-markdown', () => {
  it('passes the accessibility audit', async () => {
    const element = mount(document.createElement('inlay-markdown'));
    element.text = 'Hello';
    await element.updateComplete;
    await expectAccessible(element);
    expect(element.shadowRoot?.textContent).to.contain('Hello');
  });
});
