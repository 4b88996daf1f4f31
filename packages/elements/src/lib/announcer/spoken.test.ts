import { expect } from '../testing/fixture.ts';
import { spoken } from './spoken.ts';

describe('spoken', () => {
  it('removes formatting characters', () => {
    const markdown =
      '## Title\n\nIt is **on** its [way](https://a.example/?q=1).\n\n```ts\nlet a;\n```';

    expect(spoken(markdown)).to.equal('Title It is on its way. let a;');
  });

  it('keeps the cells of a table and the text of a link', () => {
    const markdown =
      '| A | B |\n|:--|--:|\n| 1 | 2 |\n\n[Here](https://a.example/b_(c)), not _there_.';

    expect(spoken(markdown)).to.equal('A B 1 2 Here, not there.');
  });

  it('removes comments and tags, and keeps the kind of an alert', () => {
    const markdown =
      'A<!-- not\nshown -->\n\n<details open>\n<summary>More</summary>\n\nH<sub>2</sub>O, a < b\n\n</details>\n\n> [!NOTE]\n> c';

    expect(spoken(markdown)).to.equal('A More H2O, a < b NOTE. c');
  });

  it('takes linear time for hostile input', () => {
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
    ];
    const startedAt = performance.now();

    for (const run of runs) spoken(`a${run.repeat(30_000)}x`);

    // Far above what it takes on a busy machine, and far below what a square of the length takes.
    expect(performance.now() - startedAt).to.be.below(15_000);
  });

  it('truncates long text', () => {
    expect(spoken('word '.repeat(10_000))).to.have.length.below(1600);
  });
});
