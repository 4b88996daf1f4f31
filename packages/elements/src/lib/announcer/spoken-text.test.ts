import { english } from '../i18n/all-strings.ts';
import { installExtras } from '../markdown/extras.ts';
import * as markdownExtras from '../markdown/markdown-extras.ts';
import { expect } from '../testing/fixture.ts';
import { minimumTime, processorTimeOf, reportsProcessorTime } from '../testing/processor-time.ts';
import { spokenText } from './spoken-text.ts';

installExtras(markdownExtras);
const isMeasured = await reportsProcessorTime();

const spoken = (markdown: string) => spokenText(markdown, english);

describe('spokenText', () => {
  it('removes formatting characters', () => {
    const markdown =
      '## Title ##\n\nIt is **on** its [way](https://a.example/?q=1), [see][x] \\*.\n\n---\n\n[x]: https://a.example';

    expect(spoken(markdown)).to.equal('Title. It is on its way, see .');
  });

  it('summarizes code blocks, including blocks in lists and unclosed blocks', () => {
    expect(spoken('So:\n\n```ts\nlet a;\n\nlet b;\n```\n\nDone.')).to.equal(
      'So: Code, TypeScript, 3 lines. Done.',
    );
    expect(spoken('- ~~~\n  a\n  ~~~\n- b')).to.equal('Code, 1 line. b.');
    expect(spoken('```sh\nls')).to.equal('Code, Shell, 1 line.');
  });

  it('summarizes Markdown with inner code blocks, and environments', () => {
    expect(spoken('```md\n```sh\na\n```\nb\n```\n\nDone.')).to.equal(
      'Code, Markdown, 4 lines. Done.',
    );
    expect(spoken('So\n\\begin{cases}\n1\n\\end{cases}\n\nDone.')).to.equal('So formula. Done.');
    expect(spoken('| $|x|$ | b |\n|---|---|\n| 1 | 2 |')).to.equal('Table, 2 columns, 1 row.');
  });

  it('removes citation marks of models, and keeps single tildes', () => {
    expect(
      spoken(
        'It is 3~5【4:0†source】[^1^][citation:2], \ue200cite\ue202turn0search0\ue201<cite>so</cite>.',
      ),
    ).to.equal('It is 3~5, so.');
    expect(spoken('In \ue200entity\ue202["city","Paris"]\ue201<citation>1</citation>.')).to.equal(
      'In Paris.',
    );
  });

  it('summarizes tables', () => {
    const table = '| A | B |\n|:--|--:|\n| 1 | a\\|b |\n| 2 | 3 |\n';

    expect(spoken(`${table}\nAfter.`)).to.equal('Table, 2 columns, 2 rows. After.');
    expect(spoken('| no table')).to.equal('no table');
  });

  it('replaces complex formulas by the word “formula”, and keeps simple formulas and prices', () => {
    expect(spoken('$$ t_n = \\min\\left(t, 1\\right) $$\n\n\\[\nx^2\n\\]')).to.equal(
      'formula. formula.',
    );
    expect(spoken('With $x^2$ and \\(n = 2\\), it costs $5 or $6.50.')).to.equal(
      'With formula and n = 2, it costs $5 or $6.50.',
    );
  });

  it('separates list items, and says whether tasks are done', () => {
    expect(spoken('1. First\n2. **Second**\n   - [x] Keys\n   - [ ] Coat!')).to.equal(
      '1. First. 2. Second. Done: Keys. To do: Coat!',
    );
  });

  it('keeps the text of a link, and removes references to footnotes', () => {
    expect(spoken('[Here](https://a.example/b_(c)), not _there_[^1].')).to.equal(
      'Here, not there.',
    );
  });

  it('removes HTML comments and tags, and keeps the type of an alert', () => {
    const markdown =
      'A<!-- not\nshown -->\n\n<details open>\n<summary>More</summary>\n\nH<sub>2</sub>O, a < b\n\n</details>\n\n> [!NOTE]\n> c';

    expect(spoken(markdown)).to.equal('A More H2O, a < b NOTE. c');
  });

  if (isMeasured) {
    it('takes linear time for hostile input', async () => {
      const runs = [
        '|',
        '\n',
        '[',
        '[a](',
        '[a]((',
        '_',
        ' ',
        '| ',
        '- ',
        '*',
        '`',
        '> ',
        '<',
        '<!--',
        '<b ',
        '> [!a',
        '# ',
        '#',
        '$a',
        '\\(',
        '[a][',
        '\n|',
        '\n```',
        '\n- [x] ',
      ];
      const timeOf = (count: number) =>
        processorTimeOf(async () => {
          for (const run of runs) spoken(`a${run.repeat(count)}x`);
        });
      // Lets the engine compile the code before the measurements.
      await timeOf(1_000);

      const short = await timeOf(7_500);
      const long = await timeOf(30_000);

      // The ratio is 4 for linear growth, and 16 for quadratic growth.
      expect(long / Math.max(short, minimumTime), `${short}, ${long} ms`).to.be.below(10);
    });
  }

  it('truncates long text', () => {
    expect(spoken('word '.repeat(10_000))).to.have.length.below(1600);
  });
});
