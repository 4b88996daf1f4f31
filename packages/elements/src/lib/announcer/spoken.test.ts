import { expect } from '../testing/fixture.ts';
import { spoken } from './spoken.ts';

describe('spoken', () => {
  it('leaves out the signs that only shape a text', () => {
    const markdown =
      '## Title\n\nIt is **on** its [way](https://a.example/?q=1).\n\n```ts\nlet a;\n```';

    expect(spoken(markdown)).to.equal('Title It is on its way. let a;');
  });

  it('cuts what would take minutes to hear', () => {
    expect(spoken('word '.repeat(10_000))).to.have.length.below(1600);
  });
});
