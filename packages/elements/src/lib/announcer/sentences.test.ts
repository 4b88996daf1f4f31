import fc from 'fast-check';
import { installExtras } from '../markdown/extras.ts';
import * as markdownExtras from '../markdown/markdown-extras.ts';
import { expect } from '../testing/fixture.ts';
import { sentencesEnd } from './sentences.ts';

installExtras(markdownExtras);

describe('sentencesEnd', () => {
  const cases: [string, string, string][] = [
    ['nothing of a sentence that goes on', 'It left', ''],
    ['nothing of one whose full stop may become a number', 'It costs 3.', ''],
    ['up to the last one that is followed by something', 'One. Two! Th', 'One. Two!'],
    ['a heading and the items of a list', '# Fares\n- one\n- tw', '# Fares\n- one\n'],
    ['Chinese and Japanese, which have no space', '你好。再', '你好。'],
    ['Hindi and Arabic', 'नमस्ते। कैसे؟ ', 'नमस्ते। कैसे؟'],
    ['what precedes an unfinished code block', 'So:\n```ts\na. b\nc', 'So:\n'],
    ['a code block that is complete', '```\na. b\n```\nAf', '```\na. b\n```\n'],
    ['what precedes an unfinished table', 'So.\n| a. b |\n|--', 'So.\n'],
    ['a table that is complete', '| a |\n|---|\n| 1 |\nAf', '| a |\n|---|\n| 1 |\n'],
    ['what precedes an unfinished formula', 'So.\n$$\na. b\n', 'So.\n'],
  ];
  for (const [description, text, wholeSentences] of cases) {
    it(`finds the end of ${description}`, () => {
      expect(text.slice(0, sentencesEnd(text))).to.equal(wholeSentences);
    });
  }

  const markdown = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\n', '`', '```', '|', '$$', '\\[', '\\]', '. ', '~~~'),
      fc.string(),
    ),
  });

  it('never returns a smaller index when the text grows', () => {
    fc.assert(
      fc.property(markdown, markdown, (text, addedText) => {
        expect(sentencesEnd(text + addedText)).to.be.at.least(sentencesEnd(text));
      }),
    );
  });
});
