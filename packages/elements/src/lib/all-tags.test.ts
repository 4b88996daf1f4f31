import { allTags, defineElements } from './all-tags.ts';
import { expect } from './testing/fixture.ts';

describe('defineElements', () => {
  it('registers every element under its tag', () => {
    defineElements();

    for (const [tag, element] of Object.entries(allTags)) {
      expect(customElements.get(tag)).to.equal(element);
    }
  });

  it('does not throw when it is called twice', () => {
    defineElements();

    expect(() => defineElements()).not.to.throw();
  });

  it("does not let Lit warn about its development build, which a host's dev server selects", () => {
    const { litIssuedWarnings } = globalThis as { litIssuedWarnings?: Set<string> };

    const issued = [...(litIssuedWarnings ?? [])];
    expect(issued.filter((text) => text.includes('Lit is in dev mode'))).to.deep.equal([]);
  });
});
