import { defineElements, tags } from './tags.ts';
import { expect } from './testing/fixture.ts';

describe('tags', () => {
  it('registers every tag of the table', () => {
    defineElements();

    for (const [tag, element] of Object.entries(tags)) {
      expect(customElements.get(tag)).to.equal(element);
    }
  });

  it('keeps registered tags if the elements are loaded twice', () => {
    defineElements();

    expect(() => defineElements()).not.to.throw();
  });
});
