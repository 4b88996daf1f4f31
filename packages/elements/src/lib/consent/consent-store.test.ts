import fc from 'fast-check';
import { expect } from '../testing/fixture.ts';
import { accept, digestOf, hasAccepted, withdraw } from './consent-store.ts';

describe('what was accepted in this browser', () => {
  afterEach(() => localStorage.removeItem('inlay:consent'));

  it('is known again, until it is taken back', () => {
    const digest = digestOf('agt_1', 'kim', 'A text of this test.');
    expect(hasAccepted(digest)).to.equal(false);

    accept(digest);
    expect(hasAccepted(digest)).to.equal(true);
    expect(hasAccepted(digestOf('agt_1', 'kim', 'A text of this test!'))).to.equal(false);

    withdraw(digest);
    expect(hasAccepted(digest)).to.equal(false);
  });

  it('tells nothing of the person in what the browser keeps', () => {
    accept(digestOf('agt_1', 'kim@site.example', 'Text'));

    expect(localStorage.getItem('inlay:consent')).not.to.contain('kim');
  });

  it('bears what others wrote into its place', () => {
    for (const kept of ['nonsense', '{"a":1}', '[1,null]']) {
      localStorage.setItem('inlay:consent', kept);
      expect(hasAccepted('x'), kept).to.equal(false);
    }
  });

  it('tells any two questions apart', () => {
    const question = fc.tuple(fc.string(), fc.string(), fc.string());
    fc.assert(
      fc.property(question, question, (one, other) => {
        fc.pre(one.some((part, index) => part !== other[index]));
        fc.pre(![...one, ...other].some((part) => part.includes('\u0000')));
        expect(digestOf(...one)).not.to.equal(digestOf(...other));
      }),
    );
  });
});
