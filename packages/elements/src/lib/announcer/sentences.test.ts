import fc from 'fast-check';
import { expect } from '../testing/fixture.ts';
import { sentencesEnd } from './sentences.ts';

describe('sentencesEnd', () => {
  const cases: [string, string, string][] = [
    ['nothing of a sentence that goes on', 'It left', ''],
    ['nothing of one whose full stop may become a number', 'It costs 3.', ''],
    ['up to the last one that is followed by something', 'One. Two! Th', 'One. Two!'],
    ['a heading and the items of a list', '# Fares\n- one\n- tw', '# Fares\n- one\n'],
    ['Chinese and Japanese, which have no space', '你好。再', '你好。'],
    ['Hindi and Arabic', 'नमस्ते। कैसे؟ ', 'नमस्ते। कैसे؟'],
  ];
  for (const [what, text, whole] of cases) {
    it(`finds the end of ${what}`, () => {
      expect(text.slice(0, sentencesEnd(text))).to.equal(whole);
    });
  }

  it('never returns a smaller index when the text grows', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, more) => {
        expect(sentencesEnd(text + more)).to.be.at.least(sentencesEnd(text));
      }),
    );
  });
});
