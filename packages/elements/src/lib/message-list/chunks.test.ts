import { expect } from '../testing/fixture.ts';
import { chunkSize, chunksOf } from './chunks.ts';

const items = (count: number, name = 'm') =>
  Array.from({ length: count }, (_, index) => ({ key: `${name}${index}` }));

describe('chunksOf', () => {
  it('cuts a list without losing or moving anything', () => {
    const list = items(chunkSize * 3 + 5);

    const chunks = chunksOf(list, []);

    expect(chunks.flat()).to.deep.equal(list);
    expect(chunks).to.have.length(4);
  });

  it('keeps every chunk but the last when the last item changes', () => {
    const list = items(chunkSize * 2 + 3);
    const before = chunksOf(list, []);
    const changed = [...list.slice(0, -1), { key: list.at(-1)?.key ?? '' }];

    const after = chunksOf(changed, before);

    expect(after.map((chunk, index) => chunk === before[index])).to.deep.equal([true, true, false]);
    expect(after.flat()).to.deep.equal(changed);
  });

  it('fills the last chunk before it begins another', () => {
    const list = items(chunkSize + 2);
    const longer = [...list, ...items(chunkSize, 'n')];

    const after = chunksOf(longer, chunksOf(list, []));

    expect(after.map(({ length }) => length)).to.deep.equal([chunkSize, chunkSize, 2]);
    expect(after.flat()).to.deep.equal(longer);
  });

  it('keeps the chunks on screen when older items come in front', () => {
    const list = items(chunkSize * 2);
    const before = chunksOf(list, []);
    const older = items(chunkSize + 7, 'old');

    const after = chunksOf([...older, ...list], before);

    expect(after.flat()).to.deep.equal([...older, ...list]);
    expect(after.slice(-2).every((chunk, index) => chunk === before[index])).to.equal(true);
  });

  it('begins again for another list, and for one that became shorter', () => {
    const before = chunksOf(items(chunkSize * 2), []);
    const other = items(5, 'x');

    expect(chunksOf(other, before).flat()).to.deep.equal(other);
    expect(chunksOf([], before)).to.deep.equal([]);
    const shorter = items(chunkSize + 1);
    expect(chunksOf(shorter, before).flat()).to.deep.equal(shorter);
  });
});
