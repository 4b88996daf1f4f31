import fc from 'fast-check';
import { expect } from '../testing/fixture.ts';
import { accepted, digestOf } from './consent-store.ts';

describe('consent store', () => {
  afterEach(() => localStorage.removeItem('inlay:consent'));

  it('remembers a consent until it is withdrawn', () => {
    const digest = digestOf('agt_1', 'kim', 'A text of this test.');
    expect(accepted.items().includes(digest)).to.equal(false);

    accepted.add(digest);
    expect(accepted.items().includes(digest)).to.equal(true);
    expect(accepted.items().includes(digestOf('agt_1', 'kim', 'A text of this test!'))).to.equal(
      false,
    );

    accepted.remove(digest);
    expect(accepted.items().includes(digest)).to.equal(false);
  });

  it('stores no data about the user in readable form', () => {
    accepted.add(digestOf('agt_1', 'kim@site.example', 'Text'));

    expect(localStorage.getItem('inlay:consent')).not.to.contain('kim');
  });

  it('ignores invalid stored values', () => {
    for (const stored of ['nonsense', '{"a":1}', '[1,null]']) {
      localStorage.setItem('inlay:consent', stored);
      expect(accepted.items().includes('x'), stored).to.equal(false);
    }
  });

  it('has different digests for different agents, users and texts', () => {
    const parts = fc.tuple(fc.string(), fc.string(), fc.string());
    fc.assert(
      fc.property(parts, parts, (first, second) => {
        fc.pre(first.some((part, index) => part !== second[index]));
        fc.pre(![...first, ...second].some((part) => part.includes('\u0000')));
        expect(digestOf(...first)).not.to.equal(digestOf(...second));
      }),
    );
  });
});
