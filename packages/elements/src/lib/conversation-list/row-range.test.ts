import fc from 'fast-check';
import { expect } from '../testing/fixture.ts';
import { rowRange } from './row-range.ts';

const lists = fc.record({
  count: fc.nat(5000),
  top: fc.double({ min: 0, max: 400_000, noNaN: true }),
  height: fc.double({ min: 1, max: 2000, noNaN: true }),
  rowHeight: fc.double({ min: 20, max: 200, noNaN: true }),
});

describe('rowRange', () => {
  it('covers every row in view, and at most 14 others', () => {
    fc.assert(
      fc.property(lists, ({ count, top, height, rowHeight }) => {
        const { from, to } = rowRange(count, { top, height, rowHeight });
        const first = Math.floor(top / rowHeight);
        const last = Math.min(count, Math.ceil((top + height) / rowHeight));
        for (let row = first; row < last; row += 1) {
          expect(row >= from && row < to, `row ${row}`).to.equal(true);
        }
        expect(to - from).to.be.at.most(Math.ceil(height / rowHeight) + 14);
      }),
    );
  });
});
