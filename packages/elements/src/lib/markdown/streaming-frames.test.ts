import { expect } from '../testing/fixture.ts';
import { createDocument, renderComplete } from '../testing/markdown.ts';

/** Typical answers of models, by the syntax in them. */
const answers: Readonly<Record<string, string>> = {
  emphasis:
    'This is **very important**, *slightly odd* and ***both***. Use snake_case_names, 2 * 3 * 4, ~~not this~~, and __that__ _too_.\n\n**Note:** done.',
  lists:
    'Steps:\n\n1. **First**: do `this`.\n2. Second\n   - nested *item*\n   - [ ] open task\n   - [x] done task\n10. Last\n\n* star\n+ plus\n- minus\n',
  headings:
    '# Title\n\nText\n\n## Second **bold** ##\n\nSetext\n======\n\nOther\n---\n\nEnd.\n\n---\n\nAfter the rule.\n\n***\n\nEnd.',
  links:
    'See [the **guide**](https://a.example/guide "Guide") and [https://b.example](https://b.example), <https://c.example/x>, www.d.example/y, mail@e.example or https://f.example/a_b_c. [1] is an array[0] index.',
  'links by reference':
    'See [the **guide**][guide], ![a chart][chart] and [Basel][], not m[i][j], [1][2] or [nothing][here].\n\n- [One][guide]\n\n[guide]: https://a.example/guide "Guide"\n[chart]: https://images.example/c.png\n[basel]: https://b.example\n\nEnd.',
  images:
    'A chart: ![Sales of **2024**](https://images.example/chart.png "Sales") and the end. [![Badge](https://images.example/b.svg)](https://a.example) too.',
  tables:
    'Results:\n\n| Name | Value | Note |\n|:-----|------:|:----:|\n| `a\\|b` | **1** | [x](https://a.example) |\n| two | 2.5 | *odd* |\n| three | | $x$ |\n\nAfter.',
  'a table after a line of text': 'Results:\n| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter | a pipe.',
  code: 'Run `npm test` or ``a ` b``:\n\n```js\nconst a = `x`; // **no** [link](y)\n```\n\nThen\n\n~~~\ntext\n~~~\n\n1. In a list:\n   ```sh\n   ls -la\n   ```\n\nEnd.',
  formulas:
    'Inline $x^2 + y_1$ and \\(a_b\\), display:\n\n$$\n\\frac{1}{2} * a_1\n$$\n\n\\[\n\\sum_{i=1}^n i\n\\]\n\nor $$E = mc^2$$ here. It costs $5 or $6.50. End.',
  footnotes:
    'A fact[^1] and another[^2].\n\n[^1]: The **source**.\n[^2]: Another one.\n\nThe end[^1].',
  quotes:
    '> A quote with **bold**\n> on two lines\n>\n> > nested\n\n> [!NOTE]\n> An alert.\n\nEnd.',
  HTML: 'H<sub>2</sub>O, <kbd>Ctrl</kbd>, one<br>two, a < b, 3 <5, <b>bold</b><!-- hidden -->.\n\n<details>\n<summary>More</summary>\n\nHidden **text**\n\n</details>\n\nEnd &amp; &copy; &alpha; AT&T.',
  escapes: 'Not \\*bold\\*, C:\\path\\x, 5\\_000 and \\[no link\\].',
  'a signature': 'Dear Ada,\n\nthank you.  \nBest regards\\\nBob\n',
};

/** The visible text without white space, with a symbol for each complete formula. */
function visibleText(content: Element): string {
  const copy = content.cloneNode(true) as Element;
  for (const element of copy.querySelectorAll('.code-header, .note-back, [hidden]'))
    element.remove();
  for (const element of copy.querySelectorAll('.math:has(> code)')) element.replaceWith('∑');
  return (copy.textContent ?? '').replaceAll(/\s+/g, '');
}

/** Whether `text` contains all characters of `part` in the same order. */
function contains(text: string, part: string): boolean {
  let index = 0;
  for (const character of text) if (character === part[index]) index += character.length;
  return index === part.length;
}

describe('each frame of streaming Markdown', () => {
  it('shows the text of a reference link without its label until the definition arrives', () => {
    const { content, document } = createDocument();
    const link = 'See [the guide][guide] now.\n\n';
    document.update(link, true);
    expect(visibleText(content)).to.equal('Seetheguidenow.');

    document.update(`${link}[guide]: https://a.example/guide\n\n`, true);
    expect(content.querySelector('a')?.textContent).to.equal('the guide');
  });

  it('shows the syntax of a reference link when the text is complete and contains no definition', () => {
    const { content, document } = createDocument();
    document.update('See [the guide][guide] now.', true);
    document.update('See [the guide][guide] now.', false);
    expect(visibleText(content)).to.equal('See[theguide][guide]now.');
  });

  for (const [name, answer] of Object.entries(answers)) {
    it(`shows no text that disappears later in an answer with ${name}`, () => {
      const complete = visibleText(renderComplete(answer));
      const { content, document } = createDocument();
      for (let end = 1; end <= answer.length; end += 1) {
        document.update(answer.slice(0, end), true);
        const frame = visibleText(content);
        const message = `${JSON.stringify(answer.slice(0, end))} shows ${frame}`;
        expect(contains(complete, frame), message).to.equal(true);
      }
    });
  }
});
