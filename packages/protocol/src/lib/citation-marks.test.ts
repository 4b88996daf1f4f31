import { describe, expect, it } from 'vitest';
import { withoutCitationMarks } from './citation-marks.ts';

describe('withoutCitationMarks', () => {
  it.each([
    ['It is 3~5【4:0†source】[^1^][citation:2].', 'It is 3~5.'],
    ['Here \ue200cite\ue202turn0search0\ue202turn0news1\ue201 and [4:0†report].', 'Here  and .'],
    ['One<citation>1</citation> <cite index="0-1">two</cite>.', 'One two.'],
    ['In \ue200entity\ue202["city","Paris"]\ue201.', 'In Paris.'],
    [
      'See \ue200url\ue202the page\ue202https://a.example/b\ue201.',
      'See [the page](https://a.example/b).',
    ],
    ['The end \ue200cite\ue202turn0search0', 'The end '],
  ])('removes the marks of %j', (text, expected) => {
    expect(withoutCitationMarks(text)).toBe(expected);
  });

  it.each([
    '[citation:1](https://a.example)',
    '【注意】 [citation needed] [10:30] [^1]',
    'Use `【4:0†source】` or ``a ` [^1^]``.',
    '```js\nmarks = /[^1^]/;\n```',
    '> ~~~\n> 【4:0†source】\n> ~~~',
    '- ```\n  【4:0†source】\n  ```',
    '````\n```\n【4:0†source】\n```\n````',
    '```\nunclosed 【4:0†source】',
  ])('keeps the text of %j', (text) => {
    expect(withoutCitationMarks(text)).toBe(text);
  });

  it('removes marks after code, and between backticks that are no code', () => {
    expect(withoutCitationMarks('```\na\n```\nb【4:0†source】')).toBe('```\na\n```\nb');
    expect(withoutCitationMarks('a ` b【4:0†source】')).toBe('a ` b');
  });

  it.each([
    '`',
    '``a',
    '【1†',
    '\ue200',
    '<citation ',
    '<citation>1',
    '[citation: ',
    '\n> - ```',
    '[1:1†',
    ' > ',
  ])('takes linear time for repetitions of %j', (piece) => {
    const time = (count: number) => {
      const text = piece.repeat(count);
      const start = performance.now();
      withoutCitationMarks(text);
      return performance.now() - start;
    };
    time(2_000);
    expect(time(100_000)).toBeLessThan(4_000);
  });
});
