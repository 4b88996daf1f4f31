import fc from 'fast-check';
import { expect } from '../testing/fixture.ts';
import { scaleFor } from './scale.ts';

const value = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
);

describe('scaleFor', () => {
  it('covers all values with 2 to 12 increasing ticks', () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        (values, startsAtZero) => {
          const { ticks, min, max, positionOf } = scaleFor(values, 4, startsAtZero);
          expect(ticks.length).to.be.within(2, 12);
          const tolerance = (max - min) * 1e-6;
          expect(Math.min(...values)).to.be.at.least(min - tolerance);
          expect(Math.max(...values)).to.be.at.most(max + tolerance);
          expect(positionOf(min)).to.equal(0);
          expect(positionOf(max)).to.equal(1);
          for (const [index, tick] of ticks.slice(1).entries()) {
            expect(tick).to.be.greaterThan(ticks[index] ?? Infinity);
          }
        },
      ),
    );
  });

  it('starts at zero for values far from zero only if requested', () => {
    expect(scaleFor([95, 100], 4, true).min).to.equal(0);
    expect(scaleFor([95, 100], 4, false).min).to.equal(94);
  });

  it('has round ticks', () => {
    expect(scaleFor([0.1, 0.5], 4, true).ticks).to.deep.equal([0, 0.2, 0.4, 0.6]);
    expect(scaleFor([12300, 21000], 4, true).ticks).to.deep.equal([0, 10000, 20000, 30000]);
  });
});
