import fc from 'fast-check';
import { installExtras } from '../markdown/extras.ts';
import * as markdownExtras from '../markdown/markdown-extras.ts';
import { expect } from '../testing/fixture.ts';
import { sentencesEnd } from './sentences.ts';

installExtras(markdownExtras);

describe('sentencesEnd', () => {
  const cases: [string, string, string][] = [
    ['excludes a sentence without an end mark', 'It left', ''],
    ['excludes a sentence whose full stop may be part of a number', 'It costs 3.', ''],
    ['includes sentences that are followed by text', 'One. Two! Th', 'One. Two!'],
    ['includes headings and complete list items', '# Fares\n- one\n- tw', '# Fares\n- one\n'],
    ['includes Chinese sentences without a following space', '你好。再', '你好。'],
    ['includes sentences in Hindi and Arabic', 'नमस्ते। कैसे؟ ', 'नमस्ते। कैसे؟'],
    ['excludes an incomplete code block', 'So:\n```ts\na. b\nc', 'So:\n'],
    ['includes a complete code block', '```\na. b\n```\nAf', '```\na. b\n```\n'],
    ['excludes an incomplete table', 'So.\n| a. b |\n|--', 'So.\n'],
    ['includes a complete table', '| a |\n|---|\n| 1 |\nAf', '| a |\n|---|\n| 1 |\n'],
    ['excludes an incomplete formula', 'So.\n$$\na. b\n', 'So.\n'],
  ];
  for (const [title, text, wholeSentences] of cases) {
    it(title, () => {
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
