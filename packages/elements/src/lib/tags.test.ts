import { defineElements, tags } from './tags.ts';
import { expect } from './testing/fixture.ts';

describe('tags', () => {
  it('registers every tag of the table', () => {
    defineElements();

    for (const [tag, element] of Object.entries(tags)) {
      expect(customElements.get(tag)).to.equal(element);
    }
  });

  it('keeps what is registered when a page loads the elements twice', () => {
    defineElements();

    expect(() => defineElements()).not.to.throw();
  });
});
