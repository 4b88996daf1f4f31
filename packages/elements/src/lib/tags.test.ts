import { defineElements, tags } from './tags.ts';
import { expect } from './testing/fixture.ts';

describe('defineElements', () => {
  it('registers every element under its tag', () => {
    defineElements();

    for (const [tag, element] of Object.entries(tags)) {
      expect(customElements.get(tag)).to.equal(element);
    }
  });

  it('does not throw when it is called twice', () => {
    defineElements();

    expect(() => defineElements()).not.to.throw();
  });
});
