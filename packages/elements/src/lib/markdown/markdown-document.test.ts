import fc from 'fast-check';

import { expect } from '../testing/fixture.ts';
import { renderComplete, renderInPieces } from '../testing/markdown.ts';

/** Fragments of Markdown syntax, from which random texts are built. */
const fragments = [
  ...['word ', 'several words of text, ', 'x', '\n', '\n\n', '\r\n', '\r', ' ', '    ', '\t'],
  ...[
    '# ',
    '## a ##\n',
    '#',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '2) ',
    '> ',
    '>',
    '***',
    '---',
    '\n---\n',
    '===',
  ],
  ...['```', '```js\n', '~~~', '`', '``', '**', '*', '_', '__', '~~', '~', '\\', '\\\n', '  \n'],
  ...[
    '[',
    ']',
    '](',
    '](https://a.example/b "t")',
    '[foo]',
    '[foo][bar]',
    '[^1]',
    '\n[^1]: note\n',
    '![',
    '!',
  ],
  ...[
    '\n[foo]: /url\n',
    '\n[bar]: <https://b.example> "t\n',
    '[foo]: ',
    '"title"\n',
    '(',
    ')',
    '<',
    '>',
  ],
  ...['| a | b |', '|', '\n|--|:-:|\n', '\n---|---\n', ':-:', '\\|', '[ ] ', '[x] '],
  ...[
    '<br>',
    '<div>\n',
    '</div>',
    '<!-- c -->',
    '<https://c.example>',
    '<b>',
    '</b>',
    '<sub',
    '-->',
    '<!--',
    '<details>\n',
    '<details><summary>a</summary>\n',
    '\n</details>\n',
    '\n> [!NOTE]\n',
    '这个，',
    '「',
    '&amp;',
    '&',
    '&#x41;',
    '&unknown;',
  ],
  ...['$', '$$', '\n$$\n', '\\(', '\\)', '\\[', '\\]', '\n\\[\n', '5 ', 'x^2', '\n[^1]: '],
  ...[
    '\u3010',
    '\u30104:0†source\u3011',
    '†',
    '\ue200cite\ue202turn0search0\ue201',
    '\ue200',
    '\ue202x',
  ],
  ...['[^1^]', '[citation:1]', '<citation>1</citation>', '<cite>', '\ue203', '[4:0†a.pdf]'],
  ...[
    '\\begin{align*}',
    '\\end{align*}',
    '\n\\begin{cases}\n',
    '\\end{cases}\n',
    '$|x|$',
    '|$a|b$|',
  ],
  ...['```markdown\n', '\n```md\n', '\n```\n', '\n```bash\n', '3~5 ', '**https://i.example**'],
  ...['https://d.example/e_f(g)', 'www.h.example.', 'a@b.example', '😀', 'שלום ', 'é'],
];

const markdown = fc
  .array(fc.constantFrom(...fragments), { maxLength: 60 })
  .map((chosen) => chosen.join(''));
const pieceLengths = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 12 });

const corpus = {
  'a reference that is defined at the end':
    'See [the guide][g] and [g].\n\n* [G]\n\n[g]: https://a.example "T"',
  'underlined headings': 'One\ntwo\n===\n\nThree\n---\nfour',
  'lazy continuations': '> quoted\nstill quoted\n> - item\nstill item\n\nafter',
  'nested lists': '- a\n  - b\n    1. c\n\n       d\n  - e\n- f\n\n      code\n',
  'tight and loose lists': '- a\n- b\n\n1. c\n\n2. d\n   e\n\n\n- f\n',
  'HTML blocks': '<details>\n<summary>**x**</summary>\n\ntext\n\n</details>\n<!-- a\n\nb -->',
  footnotes: 'Text[^1] and more[^note].\n\n[^1]: The *note*.\n[^note]: Another.\n    More.',
  'a table': 'Before\nName | Size\n:-- | --:\na | 1\n`b\\|c` | **2** | 3\n\nAfter',
  'carriage returns': '# A\r\n\r\n- b\r\n- c\r\rd\r\n```\r\ne\r\n\r\nf\r\n```\r\n',
  'code in a list':
    '1. a\n\n   ```ts\n   const b = 1;\n\n     indented\n   ```\n2. c\n   ~~~\n   open',
  formulas:
    'Let $a_1*b$ cost $5 or \\(x\n+y\\).\n$$\n- a\n\\frac12\n$$\n> \\[ b \\]\n\n$$\nnever closed\n\n\\[x\\](y)',
  tasks: '- [ ] open\n- [x] [foo]: /url\n- [X]\n- [ ]not\n',
  'unclosed delimiters': '**a *b `c [d](e "f',
};

describe('streaming a Markdown document has the same result as rendering the complete document', () => {
  for (const [name, text] of Object.entries(corpus)) {
    it(`for ${name}`, () => {
      const complete = renderComplete(text).innerHTML;

      for (const size of [1, 2, 3, 7, 16]) {
        expect(renderInPieces(text, [size]).innerHTML, `in pieces of ${size}`).to.equal(complete);
      }
    });
  }

  it('for random texts', () => {
    fc.assert(
      fc.property(markdown, pieceLengths, (text, lengths) => {
        const complete = renderComplete(text).innerHTML;
        const pieces = renderInPieces(text, lengths).innerHTML;
        if (pieces !== complete) throw new Error(`${JSON.stringify(text)}\n${pieces}\n${complete}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('for long paragraphs', () => {
    const paragraphs = fc
      .array(fc.constantFrom(...fragments.filter((piece) => !/[\n\r]/.test(piece)), ' and then '), {
        minLength: 200,
        maxLength: 400,
      })
      .map((chosen) => chosen.join(''));

    fc.assert(
      fc.property(paragraphs, pieceLengths, (text, lengths) => {
        expect(renderInPieces(text, lengths).innerHTML).to.equal(renderComplete(text).innerHTML);
      }),
      { numRuns: 40 },
    );
  });
});
